import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ask, askUser, RequestFailure, read, toFailure } from '../../../admin/browser/data/connection.ts';

const BASE = 'https://users.example/prod/api';

// Another file of the same worker may have loaded the modules with its own replacements.
const { page: state, drawn } = vi.hoisted(() => {
  vi.resetModules();
  const page: { hasCosts?: boolean; outage?: string | undefined } = {};
  return { page, drawn: [] as object[] };
});

vi.mock('../../../admin/browser/session/session.ts', () => ({
  settings: { api: '/prod/api' },
  session: { token: async (refused?: string) => (refused === 'secret' ? renewed : 'secret') },
  may: () => false,
}));

vi.mock('../../../admin/browser/data/state.ts', () => ({
  shared: state,
  share: (change: object) => drawn.push(Object.assign(state, change)),
}));

/** The token after a refusal. */
let renewed = 'secret';

const never = new AbortController().signal;

/** The answers of the service, one after another. */
let answers: ((request: Request) => Response | Promise<Response>)[] = [];
let requests: Request[] = [];

const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

beforeEach(() => {
  [answers, requests] = [[], []];
  vi.stubGlobal('location', new URL('https://users.example/prod/api/admin'));
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const request = new Request(url, init);
    requests.push(request);
    return (answers.shift() ?? (() => Response.error()))(request);
  });
});

const page = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 20, first: true, last: true };

describe('the connection of the admin page', () => {
  test('answers a question whether something has changed with 304, and not with a failure', async () => {
    answers = [() => new Response(null, { status: 304 })];
    const headers = { 'if-none-match': 'W/"1"' };
    expect((await ask('HEAD', '', { headers })).status).toBe(304);
    expect(requests[0]?.headers.get('if-none-match')).toBe('W/"1"');
  });

  test('draws the page anew for an answer only if one sees its costs, or that there is a connection again', async () => {
    const drawings = async () => {
      drawn.length = 0;
      answers = [() => json(page)];
      await ask('GET', '');
      return drawn.length;
    };
    expect(await drawings()).toBe(0);
    state.outage = 'offline';
    expect([await drawings(), state.outage]).toEqual([1, undefined]);
    state.hasCosts = true;
    expect(await drawings()).toBe(1);
  });

  test('sends the token, and parameters by their names', async () => {
    answers = [() => json(page)];
    const query = { page: 2, status: ['a', 'b&c'], sort: ['name,desc'] };
    expect(await read('', query, never)).toEqual(page);
    expect(requests[0]?.url).toBe(`${BASE}/users?page=2&status=a&status=b%26c&sort=name%2Cdesc`);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer secret');
  });

  test('sends a request whose token was refused once more with another one, if there is another one', async () => {
    const refusal = () => json({ message: 'Unauthorized' }, {}, 401);
    const sent = () => requests.map(({ headers }) => headers.get('authorization'));
    answers = [refusal, () => json(page)];
    expect(await ask('POST', '/edits', { json: { dryRun: true } }).catch(toFailure)).toMatchObject({ status: 401 });
    expect(sent()).toEqual(['Bearer secret']);
    renewed = 'another';
    answers = [refusal, () => json(page)];
    await ask('POST', '/edits', { json: { dryRun: true } });
    answers = [refusal, refusal, () => json(page)];
    expect(await ask('GET', '').catch(toFailure)).toMatchObject({ status: 401 });
    renewed = 'secret';
    const twice = ['Bearer secret', 'Bearer another'];
    expect(sent()).toEqual(['Bearer secret', ...twice, ...twice]);
    expect(await requests[2]?.json()).toEqual({ dryRun: true });
  });

  const details = {
    detail: 'Name is required',
    errors: [
      { detail: 'Name is required', pointer: '/name' },
      { detail: 'Age must be positive', pointer: '#/age' },
    ],
  };

  test.each<[answer: () => Response | Promise<Response>, failure: Partial<RequestFailure>]>([
    [
      () => json(details, { 'content-type': 'application/problem+json' }, 400),
      { status: 400, message: details.detail, members: { name: 'Name is required', age: 'Age must be positive' } },
    ],
    [
      () => json({ status: 429, message: 'Too many requests' }, { 'retry-after': '3' }, 429),
      { status: 429, message: 'Too many requests', retryAfterS: 3, isUnknown: false },
    ],
    [
      () => json({ status: 409, message: 'Busy' }, { 'retry-after': '30' }, 409),
      { status: 409, message: 'Busy', retryAfterS: 30, isUnknown: false },
    ],
    [() => new Response('<html>', { status: 502 }), { status: 502, message: 'Status 502', isUnknown: true }],
    [() => Promise.reject(new TypeError()), { status: 0, message: 'No answer came', isUnknown: true }],
  ])('throws an error that says which fields are wrong and when to try again: %#', async (answer, failure) => {
    answers = [answer];
    const thrown = await askUser('POST', '', { json: { name: '' } }).catch(toFailure);
    expect(thrown).toBeInstanceOf(RequestFailure);
    expect(thrown).toMatchObject(failure);
  });

  test('guards a write with the ETag that was read', async () => {
    const user = { id: 7, name: 'Ann', createdAt: '2026-01-01T00:00:00.000Z' };
    answers = [() => json(user, { etag: '"2"' }), () => new Response(null, { status: 204 })];
    expect(await askUser('PATCH', '/7', { json: { age: null }, headers: { 'if-match': '"1"' } })).toEqual({
      user,
      etag: '"2"',
    });
    await ask('DELETE', '/7', { headers: { 'if-match': '"2"' } });
    const sent = requests.map(({ method, headers }) => [method, headers.get('if-match'), headers.get('content-type')]);
    expect(sent).toEqual([
      ['PATCH', '"1"', 'application/json'],
      ['DELETE', '"2"', null],
    ]);
  });
});

test('a body that breaks off counts as a lost connection, and any other error as a fault of the page', () => {
  expect(toFailure(new TypeError('terminated'))).toMatchObject({ status: 0 });
  expect(toFailure(new Error('x is not a function'))).toMatchObject({ status: -1 });
});
