import { describe, expect, test } from 'vitest';
import { expectStatus } from '../../../../tools/operate/expectations.ts';

const response = (status: number, body: unknown) => ({ status, headers: new Headers(), body });

describe('a status that is not as expected', () => {
  test('is reported with the reason, if it is an error', () => {
    const body = { status: 403, message: 'The token lacks the scope that this needs' };
    expect(() => expectStatus(response(403, body), 200)).toThrow(
      'status is 403 instead of 200: {"status":403,"message":"The token lacks the scope that this needs"}',
    );
  });

  test('is reported without users of the response', () => {
    expect(() => expectStatus(response(200, { content: [{ name: 'Ann' }] }), 401)).toThrow(
      /^status is 200 instead of 401$/,
    );
  });
});
