import { isDeepStrictEqual } from 'node:util';

export interface ServiceResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

/** The message quotes only the body of an error. Other bodies may have users, whom no log must name. */
export function expectStatus({ status, body }: ServiceResponse, expected: number): void {
  if (status === expected) return;
  const reason = status >= 400 ? `: ${JSON.stringify(body)}` : '';
  throw new Error(`status is ${status} instead of ${expected}${reason}`);
}
