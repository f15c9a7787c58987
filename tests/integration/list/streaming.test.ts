import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { represent } from '../../../lib/users/user.ts';
import { context, event } from '../../../tools/samples/events.ts';
import { loadHandlers } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn, type TestService } from '../../support/service.ts';
import { storeEndpoint } from '../../support/shared.ts';

interface Prelude {
  statusCode: number;
  headers: Record<string, string>;
}

const log = logOfEachTest();

/** Runs the function as Lambda does when it streams. Returns the content and the number of chunks. */
async function streamed(tables: TestService['tables'], endpoint: string, stage?: string) {
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
  await loadHandlers(tables, endpoint, stage);
  const { handler } = (await import('../../../functions/listAllUsers.ts')) as unknown as { handler: Streaming };
  return async (query: string, more: Partial<APIGatewayProxyEvent> = {}, broken?: Error) => {
    const pieces: Buffer[] = [];
    const out = new Writable({
      write(chunk, _, done) {
        pieces.push(Buffer.from(chunk));
        done(broken);
      },
    });
    await handler(event(query, { resource: '/api/users/all', ...more }), out, context);
    const bytes = Buffer.concat(pieces);
    return { ...(prelude as Prelude), pieces, bytes, body: bytes.toString() };
  };
}

describe('GET /api/users/all, streamed', async () => {
  const service = await serviceOn.embedded();
  const created = await service.users.createMany(
    Array.from({ length: 180 }, (_, n) => ({
      name: `n${n % 7}`,
      ...(n % 3 > 0 && { status: ['on', 'ON', 'off'][n % 5] ?? 'x' }),
      ...(n % 4 > 0 && { lastName: `L${n % 2}` }),
    })),
  );
  const users = created.map(represent);
  // The index of a stage that has one is there then.
  await service.listing.load(10_000);
  const all = await streamed(service.tables, await storeEndpoint(), service.stage);

  test('sends every user in the order that is asked for, in chunks, with the total', async () => {
    const { statusCode, headers, body, pieces } = await all('sort=id,desc');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-total-count': '180',
      vary: 'Accept, Accept-Encoding, Origin, Prefer',
    });
    expect(JSON.parse(body)).toEqual(users.toReversed());
    expect(pieces.length).toBeGreaterThan(3);
  });

  test('is CSV with one header row for a client that asks for it, and empty for HEAD', async () => {
    const csv = await all('', { headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.body.split('\r\n')).toHaveLength(182);
    expect(csv.body.match(/id,name/g)).toHaveLength(1);
    expect(await all('', { httpMethod: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' });
  });

  test('is NDJSON for a client that asks for it: whole users a piece, and a last line break at the end only', async () => {
    const { headers, body, pieces } = await all('', { headers: { accept: 'application/x-ndjson' } });
    expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'x-total-count': '180' });
    const lines = body.split('\n');
    expect(lines.map((line) => line && JSON.parse(line))).toEqual([...users, '']);
    const ends = pieces.map((_, index) =>
      Buffer.concat(pieces.slice(0, index + 1))
        .toString()
        .at(-1),
    );
    expect(ends).toEqual([...Array(pieces.length - 1).fill('}'), '\n']);
    // Lambda sends the headers with the first piece, which may be empty.
    const none = await all('status=none', { headers: { accept: 'application/x-ndjson' } });
    expect([none.pieces.length, none.body]).toEqual([1, '']);
  });

  test.each([
    ...['gzip', 'br, gzip;q=0.5, identity;q=0.1', 'GZIP', '*'].map((accepted) => [accepted, 'gzip'] as const),
    ...['', 'identity', 'gzip;q=0', 'br', 'gzip;q=0.1, identity;q=0.9'].map(
      (accepted) => [accepted, undefined] as const,
    ),
  ])('for a client that accepts the encodings "%s" has the encoding %s', async (accepted, encoding) => {
    const { headers, bytes } = await all('sort=name', accepted ? { headers: { 'Accept-Encoding': accepted } } : {});
    expect([headers['content-encoding'], headers['content-type']]).toEqual([encoding, 'application/json']);
    expect(headers.vary).toBe('Accept, Accept-Encoding, Origin, Prefer');
    expect((encoding ? gunzipSync(bytes) : bytes).toString()).toBe((await all('sort=name')).body);
  });

  test('is an error response, not compressed, when something fails before the first byte', async () => {
    const gzip = { headers: { 'accept-encoding': 'gzip' } };
    const refused = await all('sort=nope', gzip);
    expect(refused).toMatchObject({
      statusCode: 400,
      body: '{"status":400,"message":"Unknown sort property: nope"}',
    });
    const broken = await (await streamed({ users: 'none', directory: 'none' }, await storeEndpoint()))('', gzip);
    expect(broken).toMatchObject({ statusCode: 500, body: '{"status":500,"message":"Internal server error"}' });
    const head = await all('', { ...gzip, httpMethod: 'HEAD' });
    for (const { headers } of [refused, broken, head]) expect(headers).not.toHaveProperty('content-encoding');
  });

  test('that breaks is logged, and the log of Lambda quotes no user', async () => {
    const breaking = all('', {}, new RangeError('cannot write n1'));
    await expect(breaking).rejects.toThrow(/^The response was cut off$/);
    expect(log.faults).toMatchObject([{ level: 'error', message: 'RangeError' }]);
    expect(log.text()).not.toContain('n1');
  });
});
