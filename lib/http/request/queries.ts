import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_COUNTED_BY, MAX_COUNTS, MAX_WORDS } from '../../../schemas/limits.ts';
import { badParameter } from '../../errors.ts';
import { parseMoment } from '../../moments.ts';
import { systemRuntime } from '../../runtime.ts';
import { COUNTED, isCounted } from '../../users/counted.ts';
import { isNumber } from '../../users/fields.ts';
import { type Filter, type Filters, filterNamed, isBound, isSeveral, wordsOf } from '../../users/filters.ts';
import { MAX_ID } from '../../users/ids.ts';
import type { CountsQuery, CursorQuery, PageQuery, StreamQuery, WalkQuery } from '../../users/listing/listing.ts';
import { readPlace } from '../../users/listing/place.ts';
import { COUNTS, isAmong, type ListingRules, type SortedListing } from '../listingRules.ts';
import { readMembers, type Shows } from '../members.ts';
import { toInt64 } from './id.ts';
import {
  asksForCursor,
  asksForWalk,
  DEFAULT_SIZE,
  MAX_SIZE,
  readCursor,
  readList,
  readOne,
  readOptional,
  readPaging,
  readSeveral,
  readSize,
  refuseWith,
} from './parameters.ts';
import { readOrder } from './sorting.ts';
import { createValidator } from './validation.ts';
import { isFilterParameters } from './validators.ts';

/** The largest number of users in a batch after a cursor. */
const BATCH_SIZE = 20;

const checkFilters = createValidator(isFilterParameters, 'invalid-parameter');

/** The values that are not empty. @throws {ServiceError} 400 for too many, or the first that is not valid */
function readValues(event: APIGatewayProxyEvent, name: string, filter: Filter): string[] {
  const one = isSeveral(filter) ? undefined : readOne(event, name);
  const values = one ? [one] : (readSeveral(event, name) ?? []);
  for (const value of values) checkFilters({ [name]: value });
  if (filter.asks === 'words' && values.flatMap(wordsOf).length > MAX_WORDS)
    throw badParameter(`${name} must have at most ${MAX_WORDS} words`);
  return [...new Set(values)];
}

/** Nobody has an id that no user can have. */
const toIds = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(toInt64(text, 'id'))).filter((id) => id > 0 && id <= MAX_ID);

/** What a filter with some values asks for, as the listing takes it: milliseconds for moments. Undefined: nothing. */
function asked(filter: Filter, values: readonly string[], now: number) {
  const { property, asks } = filter;
  const [first = ''] = values;
  if (asks === 'missing') return first === 'true';
  if (asks === 'words') return wordsOf(first).length > 0 ? first : undefined;
  if (property === 'createdAt') return parseMoment(first, now);
  if (property === 'id') return toIds(values);
  const typed = values.map((value) => (isNumber(property) || isBound(filter) ? Number(value) : value));
  return isSeveral(filter) ? typed : typed[0];
}

/** The filters of a listing that are given and not empty. */
export function readFilters(event: APIGatewayProxyEvent, rules: ListingRules): Filters {
  const now = systemRuntime.now();
  return Object.fromEntries(
    Object.keys(event.multiValueQueryStringParameters ?? {}).flatMap((name) => {
      const filter = isAmong(rules.filters, name) ? filterNamed(name) : undefined;
      const values = filter ? readValues(event, name, filter) : [];
      return filter && values.length > 0 ? [[name, asked(filter, values, now)]] : [];
    }),
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

/** @throws {ServiceError} 400 for what users are not counted by, and for more than two */
export function readCountsQuery(event: APIGatewayProxyEvent): CountsQuery {
  const filters = readFilters(event, COUNTS);
  const names = readList(event, 'by');
  const by = names.filter(isCounted);
  if (by.length < names.length || by.length > MAX_COUNTED_BY)
    throw badParameter(`by must be one or two of ${COUNTED.join(', ')}, attributes.<name>`);
  return { filters, by, most: MAX_COUNTS };
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
