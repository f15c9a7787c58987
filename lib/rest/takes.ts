import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Takes values from a request and checks them. @throws {ServiceError} when one is not valid */
export type Reader<Value> = (event: APIGatewayProxyEvent) => Value;

/** The query parameters of an endpoint. Any other is refused. */
export interface Takes<Value> {
  names: readonly string[];
  /** Whether a name is taken, if that is more than to be among the names. */
  isTaken(name: string): boolean;
  /** May read the path and the header fields as well. */
  read: Reader<Value>;
}

/** The input of an endpoint beside its body: a reader alone takes no query parameter. */
export type Input<Value> = Reader<Value> | Takes<Value>;

export const takes = <Value>(
  names: readonly string[],
  read: Reader<Value>,
  isTaken = (name: string): boolean => names.includes(name),
): Takes<Value> => ({ names, isTaken, read });

export const takesOf = <Value>(input: Input<Value>): Takes<Value> =>
  typeof input === 'function' ? takes([], input) : input;

/** For endpoints that take nothing. */
export const nothing: Reader<undefined> = () => undefined;
