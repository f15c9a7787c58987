import type { APIGatewayProxyEvent } from 'aws-lambda';
import { badParameter } from '../../errors.ts';
import type { FeedQuery } from '../../users/changes/feed.ts';
import type { HistoryQuery } from '../../users/changes/history.ts';
import { readToken } from '../../users/changes/token.ts';
import { MAX_VERSION } from '../../users/journal/entry.ts';
import { readPastId, toInt64 } from './id.ts';
import { readOptional, readSize } from './parameters.ts';

export const MAX_CHANGES = 1_000;
export const DEFAULT_CHANGES = 100;

/** Each change of a user has it three times, and a response at most six megabytes. */
export const MAX_USER_CHANGES = 500;

/** @throws {ServiceError} 400 for a size out of its range, or an `after` that is no token */
export function readFeedQuery(event: APIGatewayProxyEvent): FeedQuery {
  const after = readOptional(event, 'after');
  if (after !== undefined && after !== 'now') readToken(after);
  return { after, size: readSize(event, DEFAULT_CHANGES, MAX_CHANGES) };
}

/** @throws {ServiceError} 400 for an id or a version that is not an integer */
export function readHistoryQuery(event: APIGatewayProxyEvent): HistoryQuery {
  const id = readPastId(event);
  const size = readSize(event, MAX_USER_CHANGES, MAX_USER_CHANGES);
  const before = readOptional(event, 'before');
  if (before === undefined) return { id, size, before };
  const version = toInt64(before, 'before');
  if (version < 1n || version > MAX_VERSION) throw badParameter(`before must be a version, from 1 to ${MAX_VERSION}`);
  return { id, size, before: Number(version) };
}
