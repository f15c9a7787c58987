import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_COUNTED_BY, MAX_COUNTS } from '../../../schemas/limits.ts';
import { badParameter } from '../../ground/index.ts';
import { type Takes, takes } from '../../rest/index.ts';
import { COUNTED, isCounted } from '../../users/counted.ts';
import type { CountsQuery, CursorQuery, PageQuery, StreamQuery, WalkQuery } from '../../users/lists.ts';
import { readPlace } from '../../users/place.ts';
import { COUNTS, isAmong, type ListingRules, parametersOf, type SortedListing } from '../listingRules.ts';
import { readMembers, type Shows } from '../members.ts';
import { readFilters } from './filters.ts';
import {
  asksFor,
  DEFAULT_SIZE,
  MAX_SIZE,
  readCursor,
  readList,
  readOptional,
  readPaging,
  readSize,
  refuseWith,
} from './parameters.ts';
import { readOrder } from './sorting.ts';

/** The largest number of users in a batch after a cursor. */
const BATCH_SIZE = 20;

/** The users whom a question asks for, and their order. */
function readSorted(event: APIGatewayProxyEvent, { sort, ...rules }: SortedListing): StreamQuery {
  const order = readOrder(event, sort);
  const properties = order.map(({ property }) => property);
  return { filters: readFilters(event, rules, properties), order };
}

/** @throws {ServiceError} 400 for the first parameter that is out of range, before DynamoDB is read */
function readPageQuery(event: APIGatewayProxyEvent, rules: SortedListing): PageQuery & Shows {
  const sorted = readSorted(event, rules);
  return { ...readPaging(event), ...sorted, ...readMembers(event) };
}

/** @throws {ServiceError} 400 when the request has a cursor and `page`, `size` or `sort` */
function readCursorQuery(event: APIGatewayProxyEvent, rules: ListingRules): CursorQuery & Shows {
  refuseWith(event, 'cursor', ['page', 'size', 'sort']);
  const filters = readFilters(event, rules);
  return { after: readCursor(event), size: BATCH_SIZE, filters, ...readMembers(event) };
}

function readStreamQuery(event: APIGatewayProxyEvent, rules: SortedListing): StreamQuery & Shows {
  return { ...readSorted(event, rules), ...readMembers(event) };
}

/** @throws {ServiceError} 400 for what users are not counted by, and for more than two */
function readCountsQuery(event: APIGatewayProxyEvent): CountsQuery {
  const names = readList(event, 'by');
  const filters = readFilters(event, COUNTS, names);
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
function readQuery(event: APIGatewayProxyEvent, rules: SortedListing) {
  if (asksFor(event, 'after')) return { walk: readWalkQuery(event, rules) };
  return asksFor(event, 'cursor') ? { cursor: readCursorQuery(event, rules) } : { page: readPageQuery(event, rules) };
}

/** What a listing takes: the parameters of its rules, and how they are read. */
const listing =
  <Rules extends ListingRules, Query>(read: (event: APIGatewayProxyEvent, rules: Rules) => Query) =>
  (rules: Rules): Takes<Query> => {
    const names = parametersOf(rules);
    return takes(
      names,
      (event) => read(event, rules),
      (name) => isAmong(names, name),
    );
  };

export const anyQuery = listing(readQuery);
export const pageQuery = listing(readPageQuery);
export const cursorQuery = listing(readCursorQuery);
export const streamQuery = listing(readStreamQuery);
export const countsQuery = listing(readCountsQuery)(COUNTS);
