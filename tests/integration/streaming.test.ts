import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { metered } from '../../lib/metering.ts';
import type { UserStream } from '../../lib/users/listing/listing.ts';
import { type SortKey, totalOrder } from '../../lib/users/listing/order.ts';
import { represent } from '../../lib/users/user.ts';
import { context, event } from '../support/events.ts';
import { loadHandlers } from '../support/handlers.ts';
import { captureLog } from '../support/logs.ts';
import { close, listen } from '../support/loopback.ts';
import { type ModelUser, modelSort } from '../support/model.ts';
import { createTestService, type TestService } from '../support/store.ts';

interface Prelude {
  statusCode: number;
  headers: Record<string, string>;
}

let log: ReturnType<typeof captureLog>;

beforeEach(() => {
  log = captureLog();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The function as Lambda runs it when it streams: what it sends, and in how many pieces. */
async function streamed(tables: TestService['tables'], endpoint: string) {
  type Streaming = (request: APIGatewayProxyEvent, out: Writable, context: Context) => Promise<void>;
  let prelude: Prelude | undefined;
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handler: Streaming) => handler,
    HttpResponseStream: {
      from(out: Writable, given: Prelude) {
        prelude = given;
        return out;
      },
    },
  });
  await loadHandlers(tables, endpoint);
  const { handler } = (await import('../../functions/listAllUsers.ts')) as unknown as { handler: Streaming };
  return async (query: string, more: Partial<APIGatewayProxyEvent> = {}, broken?: Error) => {
    const chunks: string[] = [];
    const out = new Writable({
      write(chunk, _, done) {
        chunks.push(String(chunk));
        done(broken);
      },
    });
    await handler(event(query, { resource: '/api/users/all', ...more }), out, context);
    return { ...(prelude as Prelude), chunks: chunks.length, body: chunks.join('') };
  };
}

async function serviceWithUsers(count: number) {
  const service = await createTestService();
  const users = await service.users.createMany(
    Array.from({ length: count }, (_, n) => ({
      name: `n${n % 7}`,
      ...(n % 3 > 0 && { status: ['on', 'ON', 'off'][n % 5] ?? 'x' }),
      ...(n % 4 > 0 && { lastName: `L${n % 2}` }),
    })),
  );
  return { service, users: users.map(represent) as ModelUser[] };
}

describe('GET /api/users/all, streamed', () => {
  test('sends every user in order, piece by piece, with the total', async () => {
    const { service, users } = await serviceWithUsers(180);
    const all = await streamed(service.tables, inject('endpoint'));
    for (const [sort, keys] of [
      ['', []],
      ['sort=name,desc', [{ property: 'name', direction: 'desc' }]],
      ['sort=lastName', [{ property: 'lastName', direction: 'asc' }]],
      ['sort=status', [{ property: 'status', direction: 'asc' }]],
      [
        'sort=status,desc&sort=id,desc',
        [
          { property: 'status', direction: 'desc' },
          { property: 'id', direction: 'desc' },
        ],
      ],
      [
        'sort=status&sort=name',
        [
          { property: 'status', direction: 'asc' },
          { property: 'name', direction: 'asc' },
        ],
      ],
    ] as const) {
      const { statusCode, headers, body, chunks } = await all(sort);
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-total-count': '180',
        vary: 'Accept, Accept-Encoding, Origin',
      });
      expect(JSON.parse(body)).toEqual(modelSort(users, [...keys]));
      expect(chunks).toBeGreaterThan(3);
    }
  });

  test('is an empty array, or a header row, when there are no users', async () => {
    const { tables } = await createTestService();
    const all = await streamed(tables, inject('endpoint'));
    expect((await all('sort=name,desc')).body).toBe('[]');
    expect((await all('', { headers: { accept: 'text/csv' } })).body).toBe(
      'id,name,email,age,firstName,lastName,createdAt,status,country\r\n',
    );
  });

  test('is CSV with one header row, and nothing for HEAD', async () => {
    const { service } = await serviceWithUsers(120);
    const all = await streamed(service.tables, inject('endpoint'));
    const csv = await all('', { headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.body.split('\r\n')).toHaveLength(122);
    expect(csv.body.match(/id,name/g)).toHaveLength(1);
    expect(await all('', { httpMethod: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' });
  });

  test('is an error, and nothing else, when something is wrong before the first byte', async () => {
    const { tables } = await createTestService();
    const all = await streamed(tables, inject('endpoint'));
    expect(await all('sort=nope')).toMatchObject({
      statusCode: 400,
      body: '{"status":400,"message":"Unknown sort property: nope"}',
    });
    const broken = await streamed({ users: 'none', directory: 'none' }, inject('endpoint'));
    expect(await broken('')).toMatchObject({
      statusCode: 500,
      body: '{"status":500,"message":"Internal server error"}',
    });
  });

  test('that breaks is logged, and quotes no user where Lambda logs it', async () => {
    const { service } = await serviceWithUsers(60);
    const all = await streamed(service.tables, inject('endpoint'));
    const breaking = all('', {}, new RangeError('cannot write n1'));
    await expect(breaking).rejects.toThrow(/^The answer was cut off$/);
    expect(log.faults).toMatchObject([{ level: 'error', message: 'RangeError' }]);
    expect(log.text()).not.toContain('n1');
  });

  test('is logged with what it cost to the end', async () => {
    const { service } = await serviceWithUsers(200);
    const all = await streamed(service.tables, inject('endpoint'));
    await all('');
    expect(log.requests[0]).toMatchObject({
      route: 'GET /api/users/all',
      status: 200,
    });
    expect(log.requests[0]?.readUnits).toBeGreaterThan(2);
  });
});

describe('GET /api/users/all, where it cannot be streamed', () => {
  test('is an error like any other when the store fails after its first page', async () => {
    const { users, tables } = await createTestService();
    const long = 'x'.repeat(190);
    await users.createMany(Array.from({ length: 1_100 }, (_, n) => ({ name: `${long}${n % 10}`, firstName: long })));
    let pages = 0;
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { host: _, ...signed } = request.headers;
      const headers = signed as Record<string, string>;
      const answer = await fetch(inject('endpoint'), { method: 'POST', headers, body });
      const text = await answer.text();
      if (pages > 0) response.writeHead(500).end('{}');
      else response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
      if (String(body).includes('IndexName')) pages++;
    });
    const invoke = await loadHandlers(tables, await listen(server));
    const { handler } = await import('../../functions/listAllUsers.ts');
    expect(await handler(event('sort=name', { httpMethod: 'HEAD' }), context)).toMatchObject({
      statusCode: 200,
      body: '',
    });
    expect(pages).toBe(1);
    pages = 0;
    expect(await invoke('listAllUsers', { query: 'sort=name' })).toMatchObject({
      statusCode: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
      json: { status: 503, message: 'Service temporarily unavailable, please try again' },
    });
    expect(pages).toBeGreaterThan(1);
    expect(log.faults).toHaveLength(1);
    await close(server);
  });
});

const all = (listing: TestService['listing'], keys: SortKey[]) => listing.all(totalOrder(keys)) as Promise<UserStream>;

describe('a stream of all users', () => {
  test('reads on only as the reader does', async () => {
    const { users, listing } = await createTestService();
    const long = 'x'.repeat(190);
    await users.createMany(Array.from({ length: 1_100 }, (_, n) => ({ name: `${long}${n % 10}`, firstName: long })));
    await metered(async (meter) => {
      const { users: stream } = await all(listing, [{ property: 'name', direction: 'desc' }]);
      const iterator = stream[Symbol.asyncIterator]();
      for (let n = 0; n < 600; n++) await iterator.next();
      expect(meter.calls).toBe(2);
      let read = 600;
      while (!(await iterator.next()).done) read++;
      expect(read).toBe(1_100);
      expect(meter.calls).toBeGreaterThan(2);
    });
  });

  test('turns a run round that is too long to be held', async () => {
    const { users, listing } = await createTestService();
    const created = await users.createMany(
      Array.from({ length: 2_300 }, (_, n) => ({ name: n < 2_200 ? 'same' : `other${n % 3}` })),
    );
    const keys = [{ property: 'name' as const, direction: 'desc' as const }];
    const { users: stream } = await all(listing, keys);
    const ids: number[] = [];
    for await (const { id } of stream) ids.push(id);
    expect(ids).toEqual(modelSort(created.map(represent) as ModelUser[], keys).map(({ id }) => id));
  });
});
