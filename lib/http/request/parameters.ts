import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FilterParameters } from '../../../schemas/filters.ts';
import { badRequest, userNotFound } from '../../errors.ts';
import { MAX_ID } from '../../users/ids.ts';
import { callerOf } from './caller.ts';
import { createValidator } from './validation.ts';
import { isFilterParameters } from './validators.ts';

const INTEGER = /^-?\d+$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_PAGE = 2_147_483_647;
export const MAX_SIZE = 100;
export const DEFAULT_SIZE = 20;

// Marked pure, so that the bundle of a function that reads only an id leaves it out.
const checkFilters = /* @__PURE__ */ createValidator(isFilterParameters);

function toInt64(text: string, name: string): bigint {
  const value = INTEGER.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64) {
    throw badRequest(`${name} must be a 64-bit integer`);
  }
  return value;
}

/**
 * The id in the path.
 *
 * @throws {ServiceError} 400 when it is not a 64-bit integer, 404 when no user can have it
 */
export function readId(event: APIGatewayProxyEvent): number {
  const text = event.pathParameters?.id ?? '';
  const id = toInt64(text, 'id');
  if (id < 1n || id > BigInt(MAX_ID)) throw userNotFound(id);
  return Number(id);
}

/** All values of a query parameter, as sent. */
export const readAll = (event: APIGatewayProxyEvent, name: string): string[] =>
  event.multiValueQueryStringParameters?.[name] ?? [];

/** @throws {ServiceError} 400 when the parameter is given more than once */
export function readOne(event: APIGatewayProxyEvent, name: string): string | undefined {
  const [value, ...others] = readAll(event, name);
  if (others.length > 0) throw badRequest(`${name} must be given only once`);
  return value;
}

const isBlank = (value: string | undefined): value is undefined => value === undefined || value.trim() === '';

/** NaN when the parameter is not an integer: NaN fails every range check. */
function readInteger(event: APIGatewayProxyEvent, name: string, otherwise: number): number {
  const value = readOne(event, name);
  if (isBlank(value)) return otherwise;
  return INTEGER.test(value) ? Number(value) : Number.NaN;
}

/** @throws {ServiceError} 400 when page or size is out of its range; a size above 100 means 100 */
export function readPaging(event: APIGatewayProxyEvent): { number: number; size: number } {
  const number = readInteger(event, 'page', 0);
  if (!(number >= 0 && number <= MAX_PAGE)) throw badRequest(`page must be an integer from 0 to ${MAX_PAGE}`);
  const size = readInteger(event, 'size', DEFAULT_SIZE);
  if (!(size >= 1)) throw badRequest(`size must be an integer from 1 to ${MAX_SIZE}`);
  return { number, size: Math.min(size, MAX_SIZE) };
}

export const asksForCursor = (event: APIGatewayProxyEvent): boolean => readAll(event, 'cursor').length > 0;

/** The id after which a batch begins. Without a cursor it is 0, which is before all ids. */
export function readCursor(event: APIGatewayProxyEvent): number {
  const cursor = readOne(event, 'cursor');
  const id = isBlank(cursor) ? 0n : toInt64(cursor, 'cursor');
  if (id < 0n) return 0;
  // One less than the largest id: the next number is still an id.
  return id >= BigInt(MAX_ID) ? MAX_ID - 1 : Number(id);
}

/** @throws {ServiceError} 400 when `page`, `size` or `sort` comes with a cursor */
export function refusePaging(event: APIGatewayProxyEvent): void {
  const named = ['page', 'size', 'sort'].find((name) => readAll(event, name).some((value) => !isBlank(value)));
  if (named) throw badRequest(`cursor cannot be combined with ${named}`);
}

/** The filters among `names` that are given and not empty. */
export function readFilters(event: APIGatewayProxyEvent, names: readonly (keyof FilterParameters)[]): FilterParameters {
  const given = names.map((name) => [name, readOne(event, name)] as const).filter(([, value]) => value);
  return checkFilters(Object.fromEntries(given));
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, quoted or not. Two callers may choose the
 * same key, so the caller becomes a part of it.
 *
 * @throws {ServiceError} 400 when it is empty, longer than 255 characters, or not all visible ASCII
 */
export function readIdempotencyKey(event: APIGatewayProxyEvent): string | undefined {
  const field = event.headers['idempotency-key']?.trim();
  if (field === undefined) return undefined;
  const key = /^"(.*)"$/.exec(field)?.[1] ?? field;
  if (!IDEMPOTENCY_KEY.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');
  const caller = callerOf(event);
  return caller === undefined ? key : createHash('sha256').update(`${caller}\0${key}`).digest('base64url');
}
