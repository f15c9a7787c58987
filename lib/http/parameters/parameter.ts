/** A query parameter is described once: how it is read, and what the OpenAPI document and the hints say of it. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { advised, type Takes, takes } from '../../rest/index.ts';
import { badParameter } from '../../users/errors.ts';

export interface Parameter<Value = unknown> {
  name: string;
  /** For readers of the document. Defaults are told here: generated clients would send a `default` with each request. */
  says: string;
  /** The JSON Schema of a value. */
  schema: object;
  /**
   * How several values are sent: each with the name, all between commas, or each with a name of its own, such as `attributes.team`: then the document
   * has an object, whose members they are. Absent: there is one value.
   */
  several?: 'repeated' | 'commas' | 'members';
  /** The most values of several. */
  most?: number;
  isRequired?: true;
  /** Its key among the components of the document, where another parameter has this name, too. */
  component?: string;
  /** Whether the document leaves it out: another way to ask, of which the description of the operation tells. */
  isHidden?: true;
  /** Of a parameter that stands for many: whether a name is one of theirs. */
  isNamed?: (name: string) => boolean;
  /** @throws {ServiceError} 400 for a value that is not valid */
  read(event: APIGatewayProxyEvent): Value;
}

/** The parameters that an endpoint takes, with their descriptions in the order of the document. */
export interface Query<Value = unknown> extends Takes<Value> {
  parameters: readonly Parameter[];
}

/** Some parameters, in the order of the document. */
export type Parameters = readonly (Parameter | readonly Parameter[])[];

/** Each query is marked as pure, so that a bundle has only its own; with a spread among its parameters it would not be: hence the arrays in the array. */
export function query<Value>(given: Parameters, read: (event: APIGatewayProxyEvent) => Value): Query<Value> {
  const parameters = given.flat();
  const names = parameters.map(({ name }) => name);
  const isTaken = (name: string) => parameters.some((each) => (each.isNamed ? each.isNamed(name) : each.name === name));
  return { parameters, ...takes(names, read, isTaken) };
}

/** An integer of 64 bits. Without the format, generated clients take 32. */
export const INTEGER = { type: 'integer', format: 'int64' } as const;

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

/** All values of a parameter but empty ones. Undefined if there are none. @throws {ServiceError} 400 for too many, with those */
export function readSeveral(event: APIGatewayProxyEvent, name: string, most: number): string[] | undefined {
  const given = readAll(event, name);
  if (given.length > most) throw badParameter(`${name} must be given at most ${most} times`);
  const values = given.filter((value) => value !== '');
  return values.length > 0 ? values : undefined;
}

/** Digits, perhaps with a minus before them. */
export const IS_INTEGER = /^-?\d+$/;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** @param adviceOf what else may be meant, for problem details @throws {ServiceError} 400 when the text is not a 64-bit integer */
export function toInt64(text: string, name: string, adviceOf = (): string | undefined => undefined): bigint {
  const value = IS_INTEGER.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64) {
    const message = `${name} must be a 64-bit integer`;
    throw badParameter(message, advised(message, adviceOf()));
  }
  return value;
}

/** NaN when the parameter is not an integer: NaN fails every range check. */
export function readInteger(event: APIGatewayProxyEvent, name: string, otherwise: number): number {
  const value = readOptional(event, name);
  if (value === undefined) return otherwise;
  return IS_INTEGER.test(value) ? Number(value) : Number.NaN;
}

/** Blank or not. */
export const asksFor = (event: APIGatewayProxyEvent, name: string): boolean => readAll(event, name).length > 0;

/** A blank cursor is one. @throws {ServiceError} 400 when a parameter comes with one of some others */
export function refuseWith(event: APIGatewayProxyEvent, name: string, others: readonly string[]): void {
  const named = others.find((other) => readAll(event, other).some((value) => other === 'cursor' || !isBlank(value)));
  if (named) throw badParameter(`${name} cannot be combined with ${named}`);
}
