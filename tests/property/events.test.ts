import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Operation, ROUTES } from '../../lib/http/routes.ts';
import { ensureBase } from '../../lib/replica/internals.ts';
import { LIMITS } from '../../lib/users/database.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { anyText } from '../support/arbitraries.ts';
import { loadHandlersOn } from '../support/fake/handlers.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { DIRECT, FakeStore, TABLES } from '../support/fake/store.ts';
import { body, METHODS, PARAMETERS, TEXTS } from '../support/hostile.ts';
import { captureLog } from '../support/logs.ts';
import { differences, snapshot } from '../support/realm.ts';

/** `npm run test:long` sends more. */
const EVENTS = Number(process.env.EVENTS ?? 2_000);
const SEED = Number(process.env.EVENTS_SEED ?? 20_261_121);
const CHUNK = 1_000;

type Members = Partial<Record<keyof APIGatewayProxyEvent, unknown>>;

/** An event as API Gateway, its console or the local gateway make it of any request. Others are in integration/awsEvents.test.ts. */
interface HostileEvent {
  operation: Operation | 'unknownRoute';
  event: Members;
}

const text = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 3 },
  anyText(12),
  fc.constantFrom(
    ...['0', '1', '7', '-1', '20', '100', '101', 'name', 'name,desc', 'id,asc', 'x,y', 'on', 'DE', 'ab'],
    '99999999999999999999',
  ),
);

const NAMES = [
  ...['Accept', 'content-type', 'If-Match', 'if-none-match', 'Idempotency-Key', 'Origin', 'Prefer', 'Authorization'],
  ...['Content-Encoding', '__proto__', 'constructor'],
];
const VALUES = [
  ...['application/json', 'application/merge-patch+json', 'application/json-patch+json', 'text/csv', '*/*;q=0', ','],
  'application/x-ndjson',
  ...['application/problem+json', '*/*', '*', '*', '*', '"1"', 'W/"1"', '"', '"1", "2"', 'Bearer x', 'gzip', 'null'],
  ...['handling=strict', 'a b', 'a/b;q=x', 'k'.repeat(256), 'x'.repeat(20_000)],
];

const headerValue = fc.oneof(
  { arbitrary: fc.constantFrom(...VALUES), weight: 4 },
  text,
  fc.constantFrom<unknown>(null, undefined),
);

/** Without it, most questions would end at a parameter of another endpoint. */
const LENIENT = { prefer: 'handling=lenient' };

const headers = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.array(fc.tuple(fc.constantFrom(...NAMES), headerValue), { maxLength: 4 }), fc.boolean())
      .map(([pairs, isStrict]) => ({ ...(!isStrict && LENIENT), ...Object.fromEntries(pairs) })),
    weight: 9,
  },
  fc.constantFrom(null, undefined, {}),
);

const parameters = fc.oneof(
  {
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...PARAMETERS), fc.array(text, { minLength: 1, maxLength: 2 })), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs)),
    weight: 9,
  },
  fc.constantFrom<unknown>(null, undefined, {}, { page: null }, { sort: [] }),
);

const path = (ids: readonly number[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...ids).map((id) => ({ id: String(id) })), weight: 6 },
    text.map((id) => ({ id, file: id, proxy: id })),
    fc.constantFrom(null, undefined, {}, { file: 'start.js' }, { file: '../package.json' }),
  );

const content = fc.oneof(
  { arbitrary: body.map((given) => ({ body: given, isBase64Encoded: false })), weight: 6 },
  body.map((given) => ({ body: Buffer.from(given).toString('base64'), isBase64Encoded: true })),
  text.map((given) => ({ body: given, isBase64Encoded: true })),
  fc.constantFrom<Members>({ body: null }, {}, { body: false }, { body: 0 }, { body: '', isBase64Encoded: true }),
);

const requestContext = fc.oneof(
  { arbitrary: fc.constantFrom({ path: '/api/users' }, { path: '/prod/api/users/' }), weight: 6 },
  fc.constantFrom<unknown>(null, undefined, {}, { authorizer: null }, { authorizer: { principalId: 5 } }),
  text.map((given) => ({ path: given, authorizer: { principalId: given, expires: given } })),
  fc.constantFrom({ authorizer: { expires: '99999999999', principalId: 'ann' } }, { authorizer: { expires: 1 } }),
);

const wellShaped = (ids: readonly number[]): fc.Arbitrary<Members> =>
  fc
    .record({
      headers,
      multiValueQueryStringParameters: parameters,
      pathParameters: path(ids),
      content,
      requestContext,
      path: fc.constantFrom<unknown>('/api/users', '/', '//x', null, undefined),
    })
    .map(({ content, ...event }) => ({ multiValueHeaders: null, queryStringParameters: null, ...event, ...content }));

const operation = fc.oneof(
  { arbitrary: fc.constantFrom(...ROUTES), weight: 12 },
  fc.constant({ operation: 'unknownRoute' as const, method: undefined, scopes: [] }),
);

const hostileEvent = (ids: readonly number[]): fc.Arbitrary<HostileEvent> =>
  fc
    .tuple(operation, wellShaped(ids), fc.constantFrom(...METHODS), fc.boolean())
    .map(([{ operation, method, scopes }, event, other, isHead]) => ({
      operation,
      event: {
        resource: operation === 'unknownRoute' ? '/{proxy+}' : '/api/users',
        ...event,
        // Routes without a token have no authorizer. A known route never reaches the catch-all.
        ...(scopes.length === 0 && { requestContext: { path: '/api/x' }, path: '/x' }),
        httpMethod: method === 'GET' && isHead ? 'HEAD' : (method ?? other),
      },
    }));

let time = 1_790_000_000_000;
const store = new FakeStore({ now: () => time });
const runtime = {
  now: () => time++,
  monotonic: () => time,
  processor: () => time,
  random: chanceOf(SEED),
  sleep: async (milliseconds: number) => {
    time += milliseconds;
  },
};

const log = captureLog();
// Lists of a stage that no fold has begun are 503.
await ensureBase({ dynamo: store.client(DIRECT), tables: TABLES, runtime, limits: LIMITS, rows: USER_ROWS });
const invoke = await loadHandlersOn(() => ({ store, line: DIRECT }), runtime);

const LEAK = /errorMessage|errorType|stackTrace|node_modules|\.[cm]?[jt]s:\d|\n\s+at /;

/** The fault of the response to an event, if it has one. `invoke` compares the response with the OpenAPI document. */
async function complaint({ operation, event }: HostileEvent): Promise<string | undefined> {
  const response = await invoke(operation, { more: event as Partial<APIGatewayProxyEvent> });
  statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  if (response.statusCode >= 500 || log.faults.length > 0)
    return `a ${response.statusCode}: ${JSON.stringify(log.faults.splice(0))}`;
  if ((response.statusCode >= 400 || operation === 'batchUsers') && LEAK.test(response.body))
    return `a leak: ${response.body}`;
  return undefined;
}

const statuses: Record<number, number> = {};

test('a hostile event gets a response in the documented shape, and changes no shared object', async () => {
  const created = await invoke('createUser', { body: { name: 'Ann', lastName: 'Abab', status: 'on' } });
  const { id } = created.json as { id: number };
  const before = snapshot();
  const complaints: string[] = [];
  for (let sent = 0; sent < EVENTS; sent += CHUNK) {
    const events = fc.sample(hostileEvent([id, id + 1, 7]), {
      seed: SEED + sent,
      numRuns: Math.min(CHUNK, EVENTS - sent),
    });
    for (const event of events) {
      const found = await complaint(event).catch((error: Error) => `thrown: ${error.message}`);
      if (found) complaints.push(`${JSON.stringify(event).slice(0, 600)}\n  ${found.slice(0, 600)}`);
    }
    log.requests.length = 0;
    log.faults.length = 0;
  }
  expect(complaints.slice(0, 10)).toEqual([]);
  expect(differences(before)).toEqual([]);
  for (const status of [200, 201, 204, 304, 400, 401, 404, 406, 415]) {
    expect(statuses).toHaveProperty(String(status));
  }
});
