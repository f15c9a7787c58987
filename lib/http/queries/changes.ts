/** The queries of endpoints of changes. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_FILTER_VALUES, MAX_IDS } from '../../../schemas/limits.ts';
import type { HistoryQuery } from '../../changes/history.ts';
import { CHANGE_TYPES, type ChangeType, MOST_LOOKED_AT, readToken, TOKEN } from '../../changes/items.ts';
import type { ShownQuery } from '../../changes/shown.ts';
import { MAX_VERSION } from '../../replica/index.ts';
import { badParameter } from '../../users/errors.ts';
import { sizeOf } from '../parameters/paging.ts';
import { INTEGER, type Parameter, query, readOptional, readSeveral, toInt64 } from '../parameters/parameter.ts';
import { readPastId } from './id.ts';

/** Each change of a user has it three times, and a response at most six megabytes. */
export const MAX_USER_CHANGES = 500;

/** A token, or `now`, or nothing. */
const TOKEN_OR_NOW = `^(?:now|${TOKEN.source.slice(1, -1).replace(/\?<\w+>/g, '?:')})?$`;

/** A place in the feed: a token, or `now`. */
const place = (name: string, says: string, component: string): Parameter<string | undefined> => ({
  name,
  says,
  schema: { type: 'string', pattern: TOKEN_OR_NOW },
  component,
  read(event) {
    const text = readOptional(event, name);
    if (text !== undefined && text !== 'now') readToken(text, name);
    return text;
  },
});

/** Chooses among changes. */
const choosing = <Value>(
  name: string,
  which: string,
  schema: object,
  component: string,
  toValue: (text: string) => Value,
  most = MAX_FILTER_VALUES,
): Parameter<Value[] | undefined> => ({
  name,
  says: `Only changes ${which}; given up to ${most} times, one of these.`,
  schema,
  several: 'repeated',
  most,
  component,
  read: (event) => readSeveral(event, name, most)?.map(toValue),
});

function toType(text: string): ChangeType {
  const type = CHANGE_TYPES.find((each) => each === text);
  if (!type) throw badParameter('type must be created, updated or deleted');
  return type;
}

const after = place(
  'after',
  'The `next` of an earlier response, or `now`. From the oldest change that is kept, if not given.',
  'After',
);
const before = place(
  'before',
  'The newest first: back from now, or from the `next` of an earlier response. Not with `after`.',
  'FeedBefore',
);
const by = choosing('by', 'by this writer', { type: 'string' }, 'FeedBy', String);
const type = choosing('type', 'of this type', { type: 'string', enum: CHANGE_TYPES }, 'FeedType', toType);
// Nobody has an id that is not exact as a number.
const id = choosing(
  'id',
  'of the user with this id',
  INTEGER,
  'FeedId',
  (text) => Number(toInt64(text, 'id')),
  MAX_IDS,
);
const size = sizeOf('Changes', 100, MOST_LOOKED_AT, 'ChangesSize');

/** @throws {ServiceError} 400 for the first parameter that is out of its range, or two directions */
function readFeed(event: APIGatewayProxyEvent): ShownQuery {
  const places = { after: after.read(event), before: before.read(event) };
  if (places.after !== undefined && places.before !== undefined)
    throw badParameter('after cannot be combined with before');
  return { ...places, size: size.read(event), by: by.read(event), types: type.read(event), ids: id.read(event) };
}

export const feedQuery = /* @__PURE__ */ query([after, before, by, type, id, size], readFeed);

const beforeVersion: Parameter<number | undefined> = {
  name: 'before',
  says: 'Only changes of lower versions.',
  schema: { ...INTEGER, minimum: 1, maximum: MAX_VERSION },
  component: 'Before',
  read(event) {
    const text = readOptional(event, 'before');
    if (text === undefined) return text;
    const version = toInt64(text, 'before');
    if (version < 1n || version > MAX_VERSION) throw badParameter(`before must be a version, from 1 to ${MAX_VERSION}`);
    return Number(version);
  },
};
const historySize = sizeOf('Changes', MAX_USER_CHANGES, MAX_USER_CHANGES, 'UserChangesSize');

export const historyQuery = /* @__PURE__ */ query(
  [beforeVersion, historySize],
  (event): HistoryQuery => ({
    id: readPastId(event),
    size: historySize.read(event),
    before: beforeVersion.read(event),
  }),
);
