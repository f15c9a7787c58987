import { afterEach, expect, test, vi } from 'vitest';
import { batchBody } from '../../../lib/http/batch/batch.ts';
import { parseJson } from '../../../lib/rest/body.ts';
import { context, event } from '../../../tools/samples/events.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const MEGABYTE = 1_000_000;

/** How often a batch is parsed, and its refusal. */
async function parse(body: string) {
  const parsed = vi.spyOn(JSON, 'parse');
  const request = { event: event('', { body }), context, response: null, error: null, internal: {} };
  const before = parseJson(batchBody).before as (request: object) => Promise<void>;
  const refusal = await before(request).catch((error: unknown) => error);
  const times = parsed.mock.calls.filter(([text]) => text === body).length;
  parsed.mockRestore();
  return { times, refusal };
}

test.each([
  ['a list of numbers', `[${'1.00000000000000001,'.repeat(MEGABYTE / 20 - 1)}1]`],
  ['a text', `"${'x'.repeat(MEGABYTE)}"`],
  ['lists in lists', '['.repeat(MEGABYTE / 2) + ']'.repeat(MEGABYTE / 2)],
  ['an object without operations', `{"users":[${'{},'.repeat(MEGABYTE / 3)}{}]}`],
  ['more than a hundred operations', `{"operations":[${'{},'.repeat(MEGABYTE / 3)}{}]}`],
])('a megabyte that is no batch, but %s, is parsed once', async (_, body) => {
  const { times, refusal } = await parse(body);
  expect(refusal).toMatchObject({
    ...{ status: 400, code: 'validation' },
    message: 'Request body must be an object with operations, an array of at most 100',
  });
  expect(times).toBe(1);
});

test('a batch is parsed, and what its operations are is for each of them to say', async () => {
  expect(await parse('{"operations":[7,{}]}')).toMatchObject({ refusal: undefined });
});
