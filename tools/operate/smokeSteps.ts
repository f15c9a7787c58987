import { isDeepStrictEqual } from 'node:util';
import { NOT_KEPT } from '../../lib/users/changes/changes.ts';
import { expectEqual, expectStatus, type ServiceResponse } from './expectations.ts';

interface Request {
  headers?: Record<string, string>;
  json?: object;
  /** `false` sends the request without the token. */
  token?: false;
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

export interface Step {
  title: string;
  run(run: SmokeRun): Promise<void>;
}

const pathOf = ({ user }: SmokeRun): string => `/api/users/${user?.id}`;

const create = (run: SmokeRun): Promise<ServiceResponse> =>
  run.send('POST', '/api/users', {
    json: { name: 'Smoke Test', lastName: run.lastName, status: 'smoke-test' },
    headers: { 'idempotency-key': run.lastName },
  });

/** Asks once: a listing has every write that was acknowledged before. */
async function expectListed(
  { send, lastName }: SmokeRun,
  expected: unknown[],
  filters = `keyword=${lastName.slice(2)}`,
): Promise<void> {
  const response = await send('GET', `/api/users?${filters}&status=smoke-test&sort=name,desc`);
  expectStatus(response, 200);
  const { content, totalElements } = response.body as { content: unknown[]; totalElements: number };
  if (totalElements === expected.length && isDeepStrictEqual(content, expected)) return;
  // The page is left out: it may have users, whom this log must not name.
  const found = `${content.length} of ${totalElements} users`;
  throw new Error(`the page has ${found} instead of ${expected.length} of ${expected.length}, or others`);
}

/** In this order: each step relies on the steps before it. */
export const STEPS: readonly Step[] = [
  {
    title: 'describes itself in OpenAPI',
    run: async ({ send }) => {
      const response = await send('GET', '/api/openapi.json', { token: false });
      expectStatus(response, 200);
      expectEqual('the version', (response.body as { openapi?: string }).openapi, '3.1.1');
    },
  },
  {
    title: 'serves the documentation page',
    run: async ({ send }) => {
      for (const file of ['', '/swagger-ui-bundle.js', '/swagger-ui.css', '/start.js']) {
        expectStatus(await send('GET', `/api/docs${file}`, { token: false }), 200);
      }
    },
  },
  {
    title: 'serves the admin page',
    run: async ({ send }) => {
      const page = await send('GET', '/api/admin', { token: false });
      expectStatus(page, 200);
      const files = [...String(page.body).matchAll(/\/api\/admin\/main-\w+\.(?:css|js)/g)].map(([file]) => file);
      expectEqual('the files of the page', files.length, 2);
      for (const file of files) expectStatus(await send('GET', file, { token: false }), 200);
    },
  },
  {
    title: 'asks for a token if its document says so',
    run: async ({ send }) => {
      const { body } = await send('GET', '/api/openapi.json', { token: false });
      const isProtected = 'securitySchemes' in (body as { components: object }).components;
      const response = await send('GET', '/api/users?size=1', { token: false });
      expectStatus(response, isProtected ? 401 : 200);
    },
  },
  {
    title: 'creates a user',
    run: async (run) => {
      const response = await create(run);
      expectStatus(response, 201);
      const user = response.body as Record<string, unknown>;
      Object.assign(run, { user, etag: response.headers.get('etag') });
      expectEqual('Location', response.headers.get('location')?.endsWith(`/api/users/${user.id}`), true);
    },
  },
  {
    title: 'creates the user once for requests with the same key',
    run: async (run) => expectEqual('the user', (await create(run)).body, run.user),
  },
  {
    title: 'returns the user, or 304 to a client that has it',
    run: async (run) => {
      expectEqual('the user', (await run.send('GET', pathOf(run))).body, run.user);
      expectStatus(await run.send('GET', pathOf(run), { headers: { 'if-none-match': run.etag ?? '' } }), 304);
    },
  },
  {
    title: 'finds the user by a part of its last name, with an exact total',
    run: (run) => expectListed(run, [run.user]),
  },
  {
    title: 'patches the user',
    run: async (run) => {
      const response = await run.send('PATCH', pathOf(run), { json: { age: 30 } });
      expectStatus(response, 200);
      run.user = { ...run.user, age: 30 };
      expectEqual('the user', response.body, run.user);
    },
  },
  {
    title: 'finds the user by ranges and a prefix',
    run: (run) => {
      const { createdAt } = run.user as { createdAt: string };
      const filters = `lastName.startsWith=${run.lastName}&age.gte=30&age.lt=31&createdAt.gte=${createdAt}`;
      return expectListed(run, [run.user], filters);
    },
  },
  {
    // A function compresses streams itself: only a deployed stage shows whether API Gateway leaves them as they are.
    title: 'streams the user to a client that accepts gzip',
    run: async ({ send, lastName, user }) => {
      const headers = { 'accept-encoding': 'gzip' };
      const response = await send('GET', `/api/users/all?lastName.startsWith=${lastName}`, { headers });
      expectStatus(response, 200);
      expectEqual('the stream', isDeepStrictEqual(response.body, [user]), true);
    },
  },
  {
    title: 'shows what happened to the user, unless changes are not kept',
    run: async (run) => {
      const response = await run.send('GET', `${pathOf(run)}/changes`);
      if (response.status === 404) return expectEqual('the body', response.body, { status: 404, message: NOT_KEPT });
      expectStatus(response, 200);
      const types = (response.body as { type: string }[]).map(({ type }) => type);
      expectEqual('the changes', types.join(), 'updated,created');
      const { changes } = (await run.send('GET', '/api/users/changes?after=now')).body as { changes: unknown[] };
      expectEqual('the changes from now on', changes.length, 0);
    },
  },
  {
    title: 'refuses to replace an outdated version',
    run: async (run) => {
      const request = { json: { name: 'Late' }, headers: { 'if-match': run.etag ?? '' } };
      expectStatus(await run.send('PUT', pathOf(run), request), 412);
    },
  },
  {
    title: 'refuses an invalid user with the reason',
    run: async ({ send }) => {
      const response = await send('POST', '/api/users', { json: { name: ' ' } });
      expectEqual('the body', response.body, { status: 400, message: 'Name is required' });
    },
  },
  {
    title: 'refuses unknown paths and methods',
    run: async ({ send }) => {
      expectStatus(await send('GET', '/api/nowhere'), 404);
      const response = await send('DELETE', '/api/users');
      expectStatus(response, 405);
      expectEqual('Allow', response.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    },
  },
  {
    title: 'deletes the user',
    run: async (run) => {
      const path = pathOf(run);
      expectStatus(await run.send('DELETE', path), 204);
      const { id } = run.user ?? {};
      delete run.user;
      const response = await run.send('GET', path);
      expectEqual('the body', response.body, { status: 404, message: `User not found with id: ${id}` });
      await expectListed(run, []);
    },
  },
];
