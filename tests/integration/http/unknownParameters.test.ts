import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../lib/http/routes.ts';
import { needsToken } from '../../../lib/rest/index.ts';
import { context } from '../../../tools/samples/events.ts';
import { loadHandlers } from '../../support/calls.ts';
import { exampleFor } from '../../support/examples.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';
import { storeEndpoint } from '../../support/shared.ts';

logOfEachTest();

const invoke = await loadHandlers((await serviceOn.embedded()).tables, await storeEndpoint());

/** A request that has no time to read, and says so with 503 when it gets that far; a batch says it of each operation. */
const ask = ({ operation, method }: (typeof ROUTES)[number], query: string, prefer = '') =>
  invoke(operation, {
    query: [query, exampleFor(operation).query].filter(Boolean).join('&'),
    body: exampleFor(operation).json,
    context: { ...context, functionName: `x-${operation}`, getRemainingTimeInMillis: () => 501 },
    more: {
      pathParameters: { id: '7', edit: '0123456789abcdef' },
      httpMethod: method,
      headers: { prefer, 'content-type': 'application/json' },
    },
  });

const refusal = (message: string) => ({ statusCode: 400, json: { status: 400, message } });

describe.each(ROUTES.filter(needsToken))('$method $path', (route) => {
  test('refuses a parameter that it does not know before it reads, unless the client is lenient', async () => {
    for (const [prefer, applied] of [[''], ['handling=strict, handling=lenient', 'handling=strict']]) {
      const { headers, ...refused } = await ask(route, '7=secret', prefer);
      expect(refused).toMatchObject(refusal('Unknown parameter 7'));
      expect(headers).not.toHaveProperty('server-timing');
      expect(headers?.['preference-applied']).toBe(applied);
    }
    const statusCode = route.operation === 'batchUsers' ? 200 : 503;
    const ignored = '_=1&utm_source=x&gclid=1&fbclid=1&__proto__=1';
    if ('isStrict' in route) {
      // A parameter that is ignored might have been a filter.
      for (const each of ['7=secret', ...ignored.split('&')])
        expect(await ask(route, each, 'handling=lenient')).toMatchObject({ statusCode: 400 });
      return;
    }
    const lenient = await ask(route, '7=secret', 'return=minimal, Handling="lenient"; a=b');
    expect(lenient).toMatchObject({ statusCode, headers: { 'preference-applied': 'handling=lenient' } });
    expect(await ask(route, ignored)).toMatchObject({ statusCode });
  });
});

const [listUsers] = ROUTES;

test.each([
  ['constructor=1', 'Unknown parameter constructor: is attributes.constructor meant?'],
  ['toString=1&sort=nope', 'Unknown parameter toString: is attributes.toString meant?'],
  ['gclidx=1', 'Unknown parameter gclidx: is attributes.gclidx meant?'],
  ['=1', 'Unknown parameter without a name'],
  [
    'limit=5&offset=9&7=1',
    'Unknown parameters 7; limit: is size meant?; offset: is page meant, which counts pages of size users, from 0?',
  ],
  [
    [...Array(22).keys()].map((n) => `${n}=1`).join('&'),
    `Unknown parameters ${[...Array(20).keys()].join('; ')}; and 2 more`,
  ],
  [`status.${'x'.repeat(99)}=`, `Unknown parameter status.${'x'.repeat(57)}: is status meant?`],
  [`${'x'.repeat(63)}%F0%9F%98%80=1`, `Unknown parameter ${'x'.repeat(63)}\uFFFD`],
])('a hostile name is refused: %s', async (query, message) => {
  expect(await ask(listUsers, query)).toMatchObject(refusal(message));
});

test('a page or file is the same whatever is asked, unless the client wants to be told', async () => {
  expect(await invoke('getDocs', { query: 'v=2&state=x' })).toMatchObject({ statusCode: 200 });
  const headers = { prefer: 'handling=strict' };
  expect(await invoke('getDocs', { query: 'v=2', more: { headers } })).toMatchObject(refusal('Unknown parameter v'));
});
