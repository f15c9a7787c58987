import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_FILTER_VALUES, MAX_IDS } from '../../../schemas/limits.ts';
import { badParameter } from '../../errors.ts';
import { EXACT_FIELDS, isExactField, isText } from '../../users/fields.ts';
import { FILTERS, type Filters } from '../../users/filters.ts';
import { MAX_ID } from '../../users/ids.ts';
import type { CountsQuery, CursorQuery, PageQuery, StreamQuery, WalkQuery } from '../../users/listing/listing.ts';
import { readPlace } from '../../users/listing/place.ts';
import { COUNTS, type FilterParameter, type ListingRules, type SortedListing } from '../listingRules.ts';
import { readMembers, type Shows } from '../members.ts';
import { toInt64 } from './id.ts';
import { parseMoment } from './moments.ts';
import {
  asksForCursor,
  asksForWalk,
  DEFAULT_SIZE,
  MAX_SIZE,
  readAll,
  readCursor,
  readList,
  readOne,
  readOptional,
  readPaging,
  readSize,
  refuseWith,
} from './parameters.ts';
import { readOrder } from './sorting.ts';
import { createValidator } from './validation.ts';
import { isFilterParameters } from './validators.ts';

/** The largest number of users in a batch after a cursor. */
const BATCH_SIZE = 20;

const checkFilters = createValidator(isFilterParameters, 'invalid-parameter');

function readValues(event: APIGatewayProxyEvent, name: string): string[] {
  const values = readAll(event, name).filter((value) => value !== '');
  const most = name === 'id' ? MAX_IDS : MAX_FILTER_VALUES;
  if (values.length > most) throw badParameter(`${name} must be given at most ${most} times`);
  return values;
}

const isSeveral = (name: FilterParameter): boolean => isExactField(name) || name === 'id';

/** Nobody has an id that no user can have. */
const toIds = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(toInt64(text, 'id'))).filter((id) => id > 0 && id <= MAX_ID);

/** A value as the listing takes it: numbers for those of a number, milliseconds for bounds of a moment. */
function parsed(name: FilterParameter, text: string): string | number | boolean | undefined {
  const filter = name === 'keyword' || name === 'id' ? undefined : FILTERS.get(name);
  if (filter?.asks === 'missing') return text === 'true';
  if (!filter || isText(filter.property)) return text;
  return filter.property === 'createdAt' ? parseMoment(text) : Number(text);
}

/** What a filter with some values, at least one, asks for. */
function askedBy(name: FilterParameter, values: readonly string[]) {
  if (name === 'id') return toIds(values);
  return values.length > 1 ? values : parsed(name, values[0] ?? '');
}

/** The filters of a listing that are given and not empty. */
function readFilters(event: APIGatewayProxyEvent, rules: ListingRules): Filters {
  const names: readonly FilterParameter[] = rules.filters;
  const given = names.map((name) => {
    const values = isSeveral(name) ? readValues(event, name) : [readOne(event, name)].filter((value) => value);
    return { name, values: values as string[] };
  });
  checkFilters(
    Object.fromEntries(given.flatMap(({ name, values }) => values.slice(0, 1).map((value) => [name, value]))),
  );
  for (const { name, values } of given) for (const value of values.slice(1)) checkFilters({ [name]: value });
  return Object.fromEntries(
    given.filter(({ values }) => values.length > 0).map(({ name, values }) => [name, askedBy(name, values)]),
  );
}

/** @throws {ServiceError} 400 for the first parameter that is out of range, before DynamoDB is read */
export function readPageQuery(event: APIGatewayProxyEvent, rules: SortedListing): PageQuery & Shows {
  const filters = readFilters(event, rules);
  return { ...readPaging(event), order: readOrder(event, rules.sort), filters, ...readMembers(event) };
}

/** @throws {ServiceError} 400 when the request has a cursor and `page`, `size` or `sort` */
export function readCursorQuery(event: APIGatewayProxyEvent, rules: ListingRules): CursorQuery & Shows {
  refuseWith(event, 'cursor', ['page', 'size', 'sort']);
  const filters = readFilters(event, rules);
  return { after: readCursor(event), size: BATCH_SIZE, filters, ...readMembers(event) };
}

export function readStreamQuery(event: APIGatewayProxyEvent, rules: SortedListing): StreamQuery & Shows {
  return { filters: readFilters(event, rules), order: readOrder(event, rules.sort), ...readMembers(event) };
}

/** @throws {ServiceError} 400 for a field that users are not counted by */
export function readCountsQuery(event: APIGatewayProxyEvent): CountsQuery {
  const filters = readFilters(event, COUNTS);
  const fields = readList(event, 'by');
  const all = fields.filter(isExactField);
  if (all.length < fields.length)
    throw badParameter(`by must be ${EXACT_FIELDS.join(', ')}, or several of them: ${EXACT_FIELDS.join()}`);
  return { filters, by: all };
}

/** @throws {ServiceError} 400 for a place that is none of the order, or when `page` or `cursor` comes with it */
function readWalkQuery(event: APIGatewayProxyEvent, rules: SortedListing): WalkQuery & Shows {
  refuseWith(event, 'after', ['page', 'cursor']);
  const query = readStreamQuery(event, rules);
  const token = readOptional(event, 'after');
  const after = token === undefined ? undefined : readPlace(query.order, token);
  if (token !== undefined && !after)
    throw badParameter('after must be that of a next link in the same order: begin again with a blank after');
  return { ...query, after, size: readSize(event, DEFAULT_SIZE, MAX_SIZE) };
}

/** For a listing that goes on in several ways: by the number of a page, from a place of the order, or from an id. */
export function readQuery(event: APIGatewayProxyEvent, rules: SortedListing) {
  if (asksForWalk(event)) return { walk: readWalkQuery(event, rules) };
  return asksForCursor(event) ? { cursor: readCursorQuery(event, rules) } : { page: readPageQuery(event, rules) };
}
