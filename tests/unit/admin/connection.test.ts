import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../../lib/admin/browser/connection.ts';
import { RequestFailure, toFailure } from '../../../lib/admin/browser/failure.ts';
import { type Cost, readCost } from '../../../lib/admin/browser/send.ts';

const BASE = 'https://users.example/prod/api';

const never = new AbortController().signal;

/** The answers of the service, one after another. */
let answers: ((request: Request) => Response | Promise<Response>)[] = [];
let requests: Request[] = [];
let costs: Cost[] = [];

const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const open = (token?: string) =>
  connect({
    api: BASE,
    token: async () => token,
    onCost: (cost) => costs.push(cost),
    send: async (input) => {
      const request = input as Request;
      requests.push(request);
      return (answers.shift() ?? (() => Response.error()))(request);
    },
  });

beforeEach(() => {
  [answers, requests, costs] = [[], [], []];
  vi.stubGlobal('location', new URL('https://users.example/prod/api/admin'));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const page = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 20, first: true, last: true };

describe('the connection of the admin page', () => {
  test('sends the token, and the parameters by their names in the API', async () => {
    answers = [() => json(page)];
    await open('secret').list({ page: 2, status: ['a', 'b&c'], sort: ['name,desc'] }, never);
    const [request] = requests;
    expect(request?.url).toBe(`${BASE}/users?page=2&status=a&status=b%26c&sort=name%2Cdesc`);
    expect(request?.headers.get('authorization')).toBe('Bearer secret');
  });

  test('sends the ETag of a list that it has, and returns that list again for a 304', async () => {
    const connection = open();
    const changed = { ...page, totalElements: 1 };
    answers = [
      () => json(page, { etag: 'W/"1"' }),
      () => new Response(null, { status: 304 }),
      () => json(changed, { etag: 'W/"2"' }),
      () => new Response(null, { status: 304 }),
    ];
    for (const expected of [page, page, changed, changed]) {
      expect(await connection.list({ page: 0 }, never)).toEqual(expected);
    }
    expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, 'W/"1"', 'W/"1"', 'W/"2"']);
    expect(costs.map(({ status }) => status)).toEqual([200, 304, 200, 304]);
  });

  test('keeps nothing of a response that was aborted', async () => {
    const connection = open();
    const ended = new AbortController();
    answers = [
      ({ signal }) =>
        new Response(
          new ReadableStream({
            start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason)),
          }),
          { headers: { etag: 'W/"1"', 'content-type': 'application/json' } },
        ),
      () => json(page, { etag: 'W/"1"' }),
    ];
    const first = connection.list({ page: 0 }, ended.signal);
    setTimeout(() => ended.abort(), 5);
    await expect(first).rejects.toThrow();
    expect(await connection.list({ page: 0 }, never)).toEqual(page);
    expect(requests[1]?.headers.get('if-none-match')).toBe(null);
  });

  test('throws an error that says which fields are wrong and when to try again', async () => {
    const details = {
      ...{ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'Name is required' },
      errors: [
        { detail: 'Name is required', pointer: '/name' },
        { detail: 'Age must be positive', pointer: '/age' },
      ],
    };
    answers = [
      () => json(details, { 'content-type': 'application/problem+json' }, 400),
      () => json({ status: 429, message: 'Too many requests' }, { 'retry-after': '3' }, 429),
      () => new Response('<html>', { status: 502 }),
      () => Promise.reject(new TypeError('fetch failed')),
    ];
    const connection = open();
    const failures: RequestFailure[] = [];
    for (const _ of answers.slice()) {
      await connection.create({ name: '' }, 'key').catch((error) => failures.push(error));
    }
    expect(failures.every((failure) => failure instanceof RequestFailure)).toBe(true);
    expect(failures).toMatchObject([
      { status: 400, message: 'Name is required', members: { name: 'Name is required', age: 'Age must be positive' } },
      { status: 429, retryAfterS: 3 },
      { status: 502, message: 'Status 502' },
      { status: 0, message: 'The service cannot be reached' },
    ]);
  });

  test('guards a write with the ETag that was read, and a restored user with *', async () => {
    const user = { id: 7, name: 'Ann', createdAt: '2026-01-01T00:00:00.000Z' };
    answers = [() => json(user, { etag: '"2"' }), () => new Response(null, { status: 204 }), () => json(user, {}, 201)];
    const connection = open();
    expect(await connection.change(7, '"1"', { age: null })).toEqual({ user, etag: '"2"' });
    await connection.remove(7, '"2"');
    await connection.bringBack(7, { name: 'Ann' });
    expect(
      await Promise.all(
        requests.map(async (request) => [
          request.method,
          request.headers.get('if-match') ?? request.headers.get('if-none-match'),
          request.headers.get('content-type'),
          await request.text(),
        ]),
      ),
    ).toEqual([
      ['PATCH', '"1"', 'application/merge-patch+json', '{"age":null}'],
      ['DELETE', '"2"', null, ''],
      ['PUT', '*', 'application/json', '{"name":"Ann"}'],
    ]);
  });
});

test('a body that breaks off counts as a lost connection, and any other error as a fault of the page', () => {
  expect(toFailure(new TypeError('terminated'))).toMatchObject({ status: 0 });
  expect(toFailure(new Error('x is not a function'))).toMatchObject({ status: -1 });
});

test.each([
  ['plan;desc="ranks", journal;desc="3", dynamodb;desc="12.5 RRU";dur=8', [12.5, 0, 'ranks']],
  ['dynamodb;desc="1 RRU, 14 WRU";dur=8', [1, 14, undefined]],
  ['other', [0, 0, undefined]],
  [null, [0, 0, undefined]],
])('the cost of a request is read from the header Server-Timing: %s', (header, [readUnits, writeUnits, plan]) => {
  expect(readCost(header)).toEqual({ readUnits, writeUnits, plan });
});
