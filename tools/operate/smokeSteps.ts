import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { typeOf } from '../../lib/rest/index.ts';
import type { UserProblem } from '../../lib/users/errors.ts';

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

/** The parts of an OpenAPI document that the test reads. */
interface Description {
  info: { title: string; version: string };
  paths: Record<string, object>;
  components: { schemas: { User: { properties: Record<string, object> } }; securitySchemes?: object };
}

/** The state of one run. */
export interface SmokeRun {
  send: Send;
  /** A name that no other user has. */
  lastName: string;
  /** The document of the version that is asked. After a rollback that is the version before, which promises less than this one. */
  description?: Description;
  /** The user that this run created, and its ETag. */
  user?: Record<string, unknown>;
  etag?: string;
}

const OPEN = { token: false } as const;

/** A step returns it if the version that is asked does not promise what the step tests. */
export const NOT_PROMISED = Symbol('not promised');

const readJson = (text: string | undefined): unknown => (text === undefined ? text : JSON.parse(text));

/**
 * Compares as JSON, so a member without a value is none, and a message never has the same text twice. `actual` must not have users whom
 * the test has not created: no log may name them.
 */
function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [received, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (received === wanted || isDeepStrictEqual(readJson(received), readJson(wanted))) return;
  throw new Error(`${what} is ${received} instead of ${wanted}`);
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

/** A message may be worded anew in another version. The code of a problem stays. */
const NOT_KEPT = typeOf('changes-not-kept' satisfies UserProblem);

async function showsChanges(run: SmokeRun): Promise<void> {
  const path = `${pathOf(run)}/changes`;
  const headers = { accept: 'application/json, application/problem+json' };
  const { status, body } = await run.send('GET', path, { headers });
  if (status === 404) return expectEqual('the problem', (body as { type?: string }).type, NOT_KEPT);
  const { body: history } = await ask(run, 200, 'GET', path);
  const types = (history as { type: string }[]).map(({ type }) => type);
  expectEqual('the changes', types.join(), 'updated,created');
  const { body: later } = await ask(run, 200, 'GET', '/api/users/changes?after=now');
  expectEqual('the changes from now on', (later as { changes: unknown[] }).changes.length, 0);
}

/** Another version may have other files: the page names them. */
async function servesPage(run: SmokeRun, path: string): Promise<void> {
  const { body } = await ask(run, 200, 'GET', path, OPEN);
  const files = [...String(body).matchAll(/\/api\/(?:admin|docs)\/[\w-]+\.(?:css|js)(?=")/g)].map(([file]) => file);
  const kinds = new Set(files.map((file) => extname(file)));
  expectEqual('the kinds of its files', [...kinds].sort().join(), '.css,.js');
  for (const file of files) await ask(run, 200, 'GET', file, OPEN);
}

/** The members of a user that every version has had. */
const withoutUpdatedAt = ({ updatedAt: _, ...members }: Record<string, unknown>) => members;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function saysWhenItChanged(run: SmokeRun): Promise<unknown> {
  if (!run.description?.components.schemas.User.properties.updatedAt) return NOT_PROMISED;
  const updatedAt = String(run.user?.updatedAt);
  if (!MOMENT.test(updatedAt))
    throw new Error(`updatedAt is ${JSON.stringify(run.user?.updatedAt)}, which is no moment`);
  return expectListed(run, [run.user], `${keywordOf(run)}&updatedAt.gte=${updatedAt}&updatedAt.lte=${updatedAt}`);
}

/** The methods of a path, by the document of the version that is asked. */
const methodsOf = ({ description }: SmokeRun, path: string): string[] =>
  ['head', 'options', ...Object.keys(description?.paths[path] ?? {})].map((method) => method.toUpperCase()).sort();

/**
 * In this order: each step relies on the steps before it. A step that tests something new asks the document whether it is promised,
 * because the test also says whether a rollback to the version before went well.
 */
export const STEPS: Record<string, (run: SmokeRun) => Promise<unknown>> = {
  'describes itself in OpenAPI': async (run) => {
    const { body } = await ask(run, 200, 'GET', '/api/openapi.json', OPEN);
    expectEqual('the title', (body as Partial<Description> | null)?.info?.title, 'User management');
    run.description = body as Description;
    const isProtected = run.description.components.securitySchemes !== undefined;
    await ask(run, isProtected ? 401 : 200, 'GET', '/api/users?size=1', OPEN);
  },
  'serves the documentation page': (run) => servesPage(run, '/api/docs'),
  'serves the admin page': (run) => servesPage(run, '/api/admin'),
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
    const user = body as Record<string, unknown>;
    expectEqual('the user', withoutUpdatedAt(user), withoutUpdatedAt({ ...run.user, age: 30 }));
    run.user = user;
  },
  'says when it has changed the user': saysWhenItChanged,
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
    const allowed = headers.get('allow')?.split(', ').sort();
    expectEqual('Allow', allowed, methodsOf(run, '/api/users'));
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
