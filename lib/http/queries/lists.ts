/** The queries of lists, and of an edit of those who are in one, and the questions that are made of them. */ import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_COUNTED_BY, MAX_COUNTS, MAX_WALK_PROPERTIES } from '../../../schemas/limits.ts';
import { originOf } from '../../rest/index.ts';
import { COUNTED, isCounted, PERIOD_NAMES } from '../../users/counted.ts';
import { badParameter } from '../../users/errors.ts';
import { wordsOf } from '../../users/filters.ts';
import { readPlace } from '../../users/order.ts';
import type { CountsQuery, CursorQuery, PageQuery, StreamQuery, WalkQuery } from '../../users/questions.ts';
import { ATTRIBUTE } from '../../users/user.ts';
import { fields, type Shows } from '../parameters/fields.ts';
import { filters, filtersNamed, readFilters } from '../parameters/filters.ts';
import { after, cursor, page, size } from '../parameters/paging.ts';
import { asksFor, type Parameter, query, readList, refuseWith } from '../parameters/parameter.ts';
import { type Sort, searchSort, sort } from '../parameters/sort.ts';
import { readIdempotencyKey } from '../request/idempotencyKey.ts';
import { readWait } from './edit.ts';

/** The largest number of users in a batch after a cursor. */
const BATCH_SIZE = 20;

/** The users whom a question asks for, and their order. */
function readSorted(event: APIGatewayProxyEvent, by: Sort, taken?: readonly Parameter[]): StreamQuery {
  const order = by.read(event);
  const properties = order.map(({ property }) => property);
  return { filters: readFilters(event, taken, properties), order };
}

export function readPage(
  event: APIGatewayProxyEvent,
  by: Sort = sort,
  taken?: readonly Parameter[],
): PageQuery & Shows {
  const sorted = readSorted(event, by, taken);
  return { number: page.read(event), size: size.read(event), ...sorted, ...fields.read(event) };
}

/** @throws {ServiceError} 400 when the request has a cursor and `page`, `size` or `sort` */
function readCursor(event: APIGatewayProxyEvent): CursorQuery & Shows {
  refuseWith(event, 'cursor', ['page', 'size', 'sort']);
  const asked = readFilters(event);
  return { after: cursor.read(event), size: BATCH_SIZE, filters: asked, ...fields.read(event) };
}

const readStream = (event: APIGatewayProxyEvent): StreamQuery & Shows => ({
  ...readSorted(event, sort),
  ...fields.read(event),
});

/** @throws {ServiceError} 400 for a place that is none of the order, for an order of too many properties, or when `page` or `cursor` comes with it */
function readWalk(event: APIGatewayProxyEvent): WalkQuery & Shows {
  refuseWith(event, 'after', ['page', 'cursor']);
  const asked = readStream(event);
  if (asked.order.length - 1 > MAX_WALK_PROPERTIES)
    throw badParameter(`sort must have at most ${MAX_WALK_PROPERTIES} properties with after`);
  const token = after.read(event);
  const place = token === undefined ? undefined : readPlace(asked.order, token);
  if (token !== undefined && !place)
    throw badParameter('after must be that of a next link in the same order: begin again with a blank after');
  return { ...asked, after: place, size: size.read(event) };
}

/** The properties that users are counted by. */
const counting = (): Parameter<string[]> => ({
  name: 'by',
  says: `Which values to count: those of one or two of ${COUNTED.join(', ')}, attributes such as attributes.department, and such as attributes.contractEnd.year, with ${PERIOD_NAMES.join(', ')} of the dates that its texts begin with. Each text of an array counts once, and of two arrays each pair. A domain is in lower case, and in ASCII; days, weeks (ISO 8601), months and years are in UTC. Without it, only the total.`,
  schema: {
    type: 'string',
    pattern: `^(?:${COUNTED.map((name) => name.replace('.', '\\.')).join('|')}|${ATTRIBUTE}(?:\\.(?:${PERIOD_NAMES.join('|')}))?)$`,
    examples: ['status'],
  },
  several: 'commas',
  most: MAX_COUNTED_BY,
  read: (event) => readList(event, 'by'),
});
const by = /* @__PURE__ */ counting();

/** @throws {ServiceError} 400 for what users are not counted by, and for more than two */
function readCounts(event: APIGatewayProxyEvent): CountsQuery {
  const names = by.read(event);
  const asked = readFilters(event, filters, names);
  const known = names.filter(isCounted);
  if (known.length < names.length || known.length > MAX_COUNTED_BY)
    throw badParameter(
      `by must be one or two of ${COUNTED.join(', ')}, attributes.<name>, ${PERIOD_NAMES.map((period) => `attributes.<name>.${period}`).join(', ')}`,
    );
  return { filters: asked, by: known, most: MAX_COUNTS };
}

const hidden = (parameter: Parameter): Parameter => ({ ...parameter, isHidden: true });

/** For a list that goes on in several ways: by the number of a page, from a place of the order, or from an id. */
export const usersTake = [page, size, sort, fields, /* @__PURE__ */ hidden(cursor), after, filters];

export const usersQuery = /* @__PURE__ */ query(usersTake, (event) => {
  if (asksFor(event, 'after')) return { walk: readWalk(event) };
  return asksFor(event, 'cursor') ? { cursor: readCursor(event) } : { page: readPage(event) };
});

export const cursorQuery = /* @__PURE__ */ query([cursor, fields, filters], readCursor);

export const streamQuery = /* @__PURE__ */ query([sort, fields, filters], readStream);

const SEARCHED = /* @__PURE__ */ filtersNamed('status', 'keyword');

export const searchQuery = /* @__PURE__ */ query([page, size, searchSort, fields, SEARCHED], (event) =>
  readPage(event, searchSort, SEARCHED),
);

export const countsQuery = /* @__PURE__ */ query([by, filters], readCounts);

/** A filter without a value asks for nothing: a list has everybody then, and an edit would change others than those that were meant. */
const isBlank = (name: string, value: string): boolean => value === '' || (name === 'q' && wordsOf(value).length === 0);

/** @throws {ServiceError} 400 for the first filter with a value that is blank */
function refuseBlank(given: readonly [name: string, values: readonly string[] | undefined][]): void {
  const blank = given.find(([name, values = []]) => values.some((value) => isBlank(name, value)));
  if (blank) throw badParameter(`${blank[0]} must not be blank: each filter of an edit needs a value`);
}

/** With the filters as they were sent, in an order of their own. @throws {ServiceError} 400 for the first filter or header that is not valid */
function readParameters(event: APIGatewayProxyEvent) {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  refuseBlank(given);
  const text = JSON.stringify(given.map(([name, values = []]) => [name, values.toSorted()]).sort());
  const asked = { text, key: readIdempotencyKey(event), withinMs: readWait(event) };
  return { filters: readFilters(event), ...asked, ...originOf(event) };
}

export const editQuery = /* @__PURE__ */ query(filters, readParameters);
