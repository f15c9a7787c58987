import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HistoryQuery } from '../../changes/history.ts';
import { CHANGE_TYPES, type ChangeType, MOST_LOOKED_AT } from '../../changes/items.ts';
import type { ShownQuery } from '../../changes/shown.ts';
import { readToken } from '../../changes/token.ts';
import { badParameter } from '../../ground/index.ts';
import { MAX_VERSION } from '../../replica/entry.ts';
import { takes } from '../../rest/index.ts';
import { readPastId, toInt64 } from './id.ts';
import { readOptional, readSeveral, readSize } from './parameters.ts';

export const MAX_CHANGES = MOST_LOOKED_AT;
export const DEFAULT_CHANGES = 100;

/** Each change of a user has it three times, and a response at most six megabytes. */
export const MAX_USER_CHANGES = 500;

/** A token, or `now`. @throws {ServiceError} 400 for another text */
function readPlace(event: APIGatewayProxyEvent, name: string): string | undefined {
  const text = readOptional(event, name);
  if (text !== undefined && text !== 'now') readToken(text, name);
  return text;
}

function toType(text: string): ChangeType {
  const type = CHANGE_TYPES.find((each) => each === text);
  if (!type) throw badParameter('type must be created, updated or deleted');
  return type;
}

/** @throws {ServiceError} 400 for the first parameter that is out of its range, or two directions */
function readFeedQuery(event: APIGatewayProxyEvent): ShownQuery {
  const [after, before] = [readPlace(event, 'after'), readPlace(event, 'before')];
  if (after !== undefined && before !== undefined) throw badParameter('after cannot be combined with before');
  return {
    ...{ after, before, size: readSize(event, DEFAULT_CHANGES, MAX_CHANGES) },
    by: readSeveral(event, 'by'),
    types: readSeveral(event, 'type')?.map(toType),
    // Nobody has an id that is not exact as a number.
    ids: readSeveral(event, 'id')?.map((text) => Number(toInt64(text, 'id'))),
  };
}

/** @throws {ServiceError} 400 for an id or a version that is not an integer */
function readHistoryQuery(event: APIGatewayProxyEvent): HistoryQuery {
  const id = readPastId(event);
  const size = readSize(event, MAX_USER_CHANGES, MAX_USER_CHANGES);
  const before = readOptional(event, 'before');
  if (before === undefined) return { id, size, before };
  const version = toInt64(before, 'before');
  if (version < 1n || version > MAX_VERSION) throw badParameter(`before must be a version, from 1 to ${MAX_VERSION}`);
  return { id, size, before: Number(version) };
}

export const feedQuery = takes(['after', 'before', 'by', 'type', 'id', 'size'], readFeedQuery);
export const historyQuery = takes(['before', 'size'], readHistoryQuery);
