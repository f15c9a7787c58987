import type { APIGatewayProxyEvent } from 'aws-lambda';
import { MAX_FILTER_VALUES, MAX_IDS } from '../../../schemas/limits.ts';
import { badParameter } from '../../ground/index.ts';
import { MAX_ID } from '../../users/ids.ts';
import { INTEGER, toInt64 } from './id.ts';

export const MAX_PAGE = 2_147_483_647;
export const MAX_SIZE = 100;
export const DEFAULT_SIZE = 20;

/** All values of a query parameter, as sent. */
export const readAll = (event: APIGatewayProxyEvent, name: string): string[] =>
  event.multiValueQueryStringParameters?.[name] ?? [];

/** @throws {ServiceError} 400 when the parameter is given more than once */
export function readOne(event: APIGatewayProxyEvent, name: string): string | undefined {
  const [value, ...others] = readAll(event, name);
  if (others.length > 0) throw badParameter(`${name} must be given only once`);
  return value;
}

const isBlank = (value: string | undefined): value is undefined => value === undefined || value.trim() === '';

/** Undefined when the parameter is blank, too. */
export function readOptional(event: APIGatewayProxyEvent, name: string): string | undefined {
  const value = readOne(event, name);
  return isBlank(value) ? undefined : value;
}

/** The values of a parameter between its commas, however often it is given: each once, and none that is blank. */
export function readList(event: APIGatewayProxyEvent, name: string): string[] {
  const values = readAll(event, name).flatMap((text) => text.split(',').map((value) => value.trim()));
  return [...new Set(values)].filter((value) => value !== '');
}

/** How many values a filter may have. */
export const mostValues = (name: string): number => (name === 'id' ? MAX_IDS : MAX_FILTER_VALUES);

/** All values of a parameter but empty ones. Undefined if there are none. @throws {ServiceError} 400 for too many, with those */
export function readSeveral(event: APIGatewayProxyEvent, name: string): string[] | undefined {
  const given = readAll(event, name);
  const most = mostValues(name);
  if (given.length > most) throw badParameter(`${name} must be given at most ${most} times`);
  const values = given.filter((value) => value !== '');
  return values.length > 0 ? values : undefined;
}

/** NaN when the parameter is not an integer: NaN fails every range check. */
function readInteger(event: APIGatewayProxyEvent, name: string, otherwise: number): number {
  const value = readOptional(event, name);
  if (value === undefined) return otherwise;
  return INTEGER.test(value) ? Number(value) : Number.NaN;
}

/** @throws {ServiceError} 400 when size is not an integer or below 1; above the most it means the most */
export function readSize(event: APIGatewayProxyEvent, otherwise: number, most: number): number {
  const size = readInteger(event, 'size', otherwise);
  if (!(size >= 1)) throw badParameter(`size must be an integer from 1 to ${most}`);
  return Math.min(size, most);
}

/** @throws {ServiceError} 400 when page or size is out of its range; a size above 100 means 100 */
export function readPaging(event: APIGatewayProxyEvent): { number: number; size: number } {
  const number = readInteger(event, 'page', 0);
  if (!(number >= 0 && number <= MAX_PAGE)) throw badParameter(`page must be an integer from 0 to ${MAX_PAGE}`);
  return { number, size: readSize(event, DEFAULT_SIZE, MAX_SIZE) };
}

/** Blank or not. */
export const asksFor = (event: APIGatewayProxyEvent, name: string): boolean => readAll(event, name).length > 0;

/** The id after which a batch begins. Without a cursor it is 0, which is before all ids. */
export function readCursor(event: APIGatewayProxyEvent): number {
  const id = toInt64(readOptional(event, 'cursor') ?? '0', 'cursor');
  if (id < 0n) return 0;
  // One less than the largest id: the next number is still an id.
  return id >= BigInt(MAX_ID) ? MAX_ID - 1 : Number(id);
}

/** A blank cursor is one. @throws {ServiceError} 400 when a parameter comes with one of some others */
export function refuseWith(event: APIGatewayProxyEvent, name: string, others: readonly string[]): void {
  const named = others.find((other) => readAll(event, other).some((value) => other === 'cursor' || !isBlank(value)));
  if (named) throw badParameter(`${name} cannot be combined with ${named}`);
}
