import { isDeepStrictEqual } from 'node:util';
import { NOT_KEPT } from '../../lib/changes/items.ts';

interface Request {
  headers?: Record<string, string>;
  json?: object;
  /** `false` sends the request without the token. */
  token?: false;
}

interface ServiceResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export type Send = (method: string, path: string, request?: Request) => Promise<ServiceResponse>;

/** The state of one run. */
export interface SmokeRun {
  send: Send;
  /** A name that no other user has. */
  lastName: string;
  /** The user that this run created, and its ETag. */
  user?: Record<string, unknown>;
  etag?: string;
}

const OPEN = { token: false } as const;

/** `actual` must not have users whom the test has not created: no log may name them. */
function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

const pathOf = ({ user }: SmokeRun): string => `/api/users/${user?.id}`;

/** @returns the response to a request, which has this status */
async function ask({ send }: SmokeRun, status: number, method: string, path: string, request: Request = {}) {
  const response = await send(method, path, request);
  if (response.status === status) return response;
  // Bodies below 400 may have users.
  const reason = response.status >= 400 ? `: ${JSON.stringify(response.body)}` : '';
  throw new Error(`status is ${response.status} instead of ${status}${reason}`);
}

const create = (run: SmokeRun): Promise<ServiceResponse> => {
  const json = { name: 'Smoke Test', lastName: run.lastName, status: 'smoke-test' };
  return ask(run, 201, 'POST', '/api/users', { json, headers: { 'idempotency-key': run.lastName } });
};

/** Asks once: a listing has every write that was acknowledged before. */
async function expectListed(run: SmokeRun, expected: unknown[], filters: string): Promise<void> {
  const { body } = await ask(run, 200, 'GET', `/api/users?${filters}&status=smoke-test&sort=name,desc`);
  const { content, totalElements } = body as { content: unknown[]; totalElements: number };
  if (totalElements === expected.length && isDeepStrictEqual(content, expected)) return;
  // The page is left out: it may have users, whom this log must not name.
  const found = `${content.length} of ${totalElements} users`;
  throw new Error(`the page has ${found} instead of ${expected.length}, or others`);
}

const keywordOf = ({ lastName }: SmokeRun): string => `keyword=${lastName.slice(2)}`;

async function showsChanges(run: SmokeRun): Promise<void> {
  const { status, body: refusal } = await run.send('GET', `${pathOf(run)}/changes`);
  if (status === 404) return expectEqual('the body', refusal, { status: 404, message: NOT_KEPT });
  const { body: history } = await ask(run, 200, 'GET', `${pathOf(run)}/changes`);
  const types = (history as { type: string }[]).map(({ type }) => type);
  expectEqual('the changes', types.join(), 'updated,created');
  const { body } = await ask(run, 200, 'GET', '/api/users/changes?after=now');
  expectEqual('the changes from now on', (body as { changes: unknown[] }).changes.length, 0);
}

async function servesAdminPage(run: SmokeRun): Promise<void> {
  const { body } = await ask(run, 200, 'GET', '/api/admin', OPEN);
  const files = [...String(body).matchAll(/\/api\/admin\/main-\w+\.(?:css|js)/g)].map(([file]) => file);
  expectEqual('the files of the page', files.length, 2);
  for (const file of files) await ask(run, 200, 'GET', file, OPEN);
}

/** In this order: each step relies on the steps before it. */
export const STEPS: Record<string, (run: SmokeRun) => Promise<unknown>> = {
  'describes itself in OpenAPI': async (run) => {
    const { body } = await ask(run, 200, 'GET', '/api/openapi.json', OPEN);
    expectEqual('the version', (body as { openapi?: string }).openapi, '3.1.1');
    const isProtected = 'securitySchemes' in (body as { components: object }).components;
    await ask(run, isProtected ? 401 : 200, 'GET', '/api/users?size=1', OPEN);
  },
  'serves the documentation page': async (run) => {
    for (const file of ['', '/swagger-ui-bundle.js', '/swagger-ui.css', '/start.js'])
      await ask(run, 200, 'GET', `/api/docs${file}`, OPEN);
  },
  'serves the admin page': servesAdminPage,
  // Before it creates a user, whom a failed run finds by a list.
  'lists users': (run) => ask(run, 200, 'GET', '/api/users?size=1'),
  'creates a user once for requests with the same key': async (run) => {
    const { body, headers } = await create(run);
    const user = body as Record<string, unknown>;
    Object.assign(run, { user, etag: headers.get('etag') });
    expectEqual('Location', headers.get('location')?.endsWith(`/api/users/${user.id}`), true);
    expectEqual('the user', (await create(run)).body, user);
  },
  'returns the user, or 304 to a client that has it': async (run) => {
    expectEqual('the user', (await ask(run, 200, 'GET', pathOf(run))).body, run.user);
    await ask(run, 304, 'GET', pathOf(run), { headers: { 'if-none-match': run.etag ?? '' } });
  },
  'finds the user by a part of its last name, with an exact total': (run) =>
    expectListed(run, [run.user], keywordOf(run)),
  'patches the user': async (run) => {
    const { body } = await ask(run, 200, 'PATCH', pathOf(run), { json: { age: 30 } });
    const { updatedAt } = body as { updatedAt?: string };
    run.user = { ...run.user, age: 30, updatedAt };
    expectEqual('the user', body, run.user);
  },
  // A function compresses streams itself, and API Gateway must leave them as they are.
  'streams the user to a client that accepts gzip': async (run) => {
    const headers = { 'accept-encoding': 'gzip' };
    const { body } = await ask(run, 200, 'GET', `/api/users/all?lastName.startsWith=${run.lastName}`, { headers });
    expectEqual('the stream', isDeepStrictEqual(body, [run.user]), true);
  },
  'shows what happened to the user, unless changes are not kept': showsChanges,
  'refuses an outdated version, an invalid user, unknown paths and methods': async (run) => {
    await ask(run, 412, 'PUT', pathOf(run), { json: { name: 'Late' }, headers: { 'if-match': run.etag ?? '' } });
    const { body } = await run.send('POST', '/api/users', { json: { name: ' ' } });
    expectEqual('the body', body, { status: 400, message: 'Name is required' });
    await ask(run, 404, 'GET', '/api/nowhere');
    const { headers } = await ask(run, 405, 'DELETE', '/api/users');
    expectEqual('Allow', headers.get('allow'), 'GET, HEAD, POST, PUT, OPTIONS');
  },
  'deletes the user': async (run) => {
    const path = pathOf(run);
    await ask(run, 204, 'DELETE', path);
    const { id } = run.user ?? {};
    delete run.user;
    const { body } = await run.send('GET', path);
    expectEqual('the body', body, { status: 404, message: `User not found with id: ${id}` });
    await expectListed(run, [], keywordOf(run));
  },
};
