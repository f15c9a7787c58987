import { isDeepStrictEqual } from 'node:util';
import { type Answer, expectEqual, expectStatus } from './expectations.ts';

interface Request {
  headers?: Record<string, string>;
  json?: object;
  /** Sent with the token unless false. */
  token?: false;
}

export type Send = (method: string, path: string, request?: Request) => Promise<Answer>;

/** What a run works with: the service, and a last name that no other user has. */
export interface Run {
  send: Send;
  lastName: string;
  sleep(milliseconds: number): Promise<unknown>;
  /** The user of this run, once it is created, and its ETag. */
  user?: Record<string, unknown>;
  etag?: string;
}

export interface Step {
  title: string;
  run(run: Run): Promise<void>;
}

const pathOf = ({ user }: Run): string => `/api/users/${user?.id}`;

const create = (run: Run): Promise<Answer> =>
  run.send('POST', '/api/users', {
    json: { name: 'Smoke Test', lastName: run.lastName, status: 'smoke-test' },
    headers: { 'idempotency-key': run.lastName },
  });

const WAITS_MS = [0, 200, 500, 1_000, 2_000];

/** Listings show a write some milliseconds later. */
async function untilListed(run: Run, expected: unknown[]): Promise<void> {
  let found = 'nothing';
  for (const wait of WAITS_MS) {
    await run.sleep(wait);
    const answer = await run.send(
      'GET',
      `/api/users?keyword=${run.lastName.slice(2)}&status=smoke-test&sort=name,desc`,
    );
    expectStatus(answer, 200);
    const { content, totalElements } = answer.body as { content: unknown[]; totalElements: number };
    found = `${content.length} of ${totalElements} users`;
    if (totalElements === expected.length && isDeepStrictEqual(content, expected)) return;
  }
  // Not the page itself: it may have users whom this log must not name.
  throw new Error(`the page has ${found} instead of ${expected.length} of ${expected.length}, or others`);
}

/** From the first to the last, each relying on those before it. */
export const STEPS: readonly Step[] = [
  {
    title: 'describes itself in OpenAPI',
    run: async ({ send }) => {
      const answer = await send('GET', '/api/openapi.json', { token: false });
      expectStatus(answer, 200);
      expectEqual('the version', (answer.body as { openapi?: string }).openapi, '3.1.1');
    },
  },
  {
    title: 'serves a page to read and try it',
    run: async ({ send }) => {
      for (const file of ['', '/swagger-ui-bundle.js', '/swagger-ui.css', '/start.js']) {
        expectStatus(await send('GET', `/api/docs${file}`, { token: false }), 200);
      }
    },
  },
  {
    title: 'asks for a token, where it says so',
    run: async ({ send }) => {
      const { body } = await send('GET', '/api/openapi.json', { token: false });
      const isProtected = 'securitySchemes' in (body as { components: object }).components;
      const answer = await send('GET', '/api/users?size=1', { token: false });
      expectStatus(answer, isProtected ? 401 : 200);
    },
  },
  {
    title: 'creates a user',
    run: async (run) => {
      const answer = await create(run);
      expectStatus(answer, 201);
      const user = answer.body as Record<string, unknown>;
      Object.assign(run, { user, etag: answer.headers.get('etag') });
      expectEqual('Location', answer.headers.get('location')?.endsWith(`/api/users/${user.id}`), true);
    },
  },
  {
    title: 'creates it once, however often it is asked with the same key',
    run: async (run) => expectEqual('the user', (await create(run)).body, run.user),
  },
  {
    title: 'gives the user, and 304 to whoever has it',
    run: async (run) => {
      expectEqual('the user', (await run.send('GET', pathOf(run))).body, run.user);
      expectStatus(await run.send('GET', pathOf(run), { headers: { 'if-none-match': run.etag ?? '' } }), 304);
    },
  },
  {
    title: 'finds it by a piece of its last name, with an exact total',
    run: (run) => untilListed(run, [run.user]),
  },
  {
    title: 'patches it',
    run: async (run) => {
      const answer = await run.send('PATCH', pathOf(run), { json: { age: 30 } });
      expectStatus(answer, 200);
      run.user = { ...run.user, age: 30 };
      expectEqual('the user', answer.body, run.user);
    },
  },
  {
    title: 'refuses to replace a version that is gone',
    run: async (run) => {
      const request = { json: { name: 'Late' }, headers: { 'if-match': run.etag ?? '' } };
      expectStatus(await run.send('PUT', pathOf(run), request), 412);
    },
  },
  {
    title: 'refuses what is not valid, with the reason',
    run: async ({ send }) => {
      const answer = await send('POST', '/api/users', { json: { name: ' ' } });
      expectEqual('the answer', answer.body, { status: 400, message: 'Name is required' });
    },
  },
  {
    title: 'refuses unknown paths and methods',
    run: async ({ send }) => {
      expectStatus(await send('GET', '/api/nowhere'), 404);
      const answer = await send('DELETE', '/api/users');
      expectStatus(answer, 405);
      expectEqual('Allow', answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    },
  },
  {
    title: 'deletes it',
    run: async (run) => {
      const path = pathOf(run);
      expectStatus(await run.send('DELETE', path), 204);
      const { id } = run.user ?? {};
      delete run.user;
      const answer = await run.send('GET', path);
      expectEqual('the answer', answer.body, { status: 404, message: `User not found with id: ${id}` });
      await untilListed(run, []);
    },
  },
];
