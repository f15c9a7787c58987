import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { type Log, readLog, type Step, withStep } from '../../../lib/edits/log.ts';
import type { ProblemCode } from '../../../lib/http/problems.ts';
import { PROBLEMS } from '../../../lib/http/problems.ts';
import { createdAt } from '../../../lib/users/ids.ts';
import { context, EDIT } from '../../../tools/samples/events.ts';
import { type Invoke, loadHandlers } from '../../support/calls.ts';
import { captureLog } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';
import { storeEndpoint } from '../../support/shared.ts';

const log = captureLog();
const service = await serviceOn.embedded();
let invoke = await loadHandlers(service.tables, await storeEndpoint());
const { id: ann } = await service.users.create({ name: 'Ann', age: 5 });

type Request = [Parameters<Invoke>[0], Parameters<Invoke>[1]?];

const accept = { accept: 'application/problem+json' };
const withHeaders = (headers: Record<string, string>) => ({ more: { headers: { ...accept, ...headers } } });
const authorized = (authorizer: object) => ({
  more: { headers: accept, requestContext: { path: '/api/users', authorizer } as never },
});
const withBody = (body: string, headers: Record<string, string> = {}) => ({
  more: { body, headers: { ...accept, ...headers } },
});

async function keepChanges(days: number): Promise<void> {
  vi.stubEnv('HISTORY_DAYS', String(days));
  invoke = await loadHandlers(service.tables, await storeEndpoint());
}

const ofEdits = (more: object) => withBody(JSON.stringify({ ...EDIT, ...more }));

/** An edit like one that has begun, but for what is told. */
async function ofEdit({ by, ...last }: Partial<Pick<Log, 'by'> & Step>) {
  const { json } = await invoke('editUsers', ofEdits({}));
  const log = await readLog(service, (json as { edit: string }).edit);
  const name = randomUUID().replaceAll('-', '').slice(16);
  const step = { ids: [], until: 0, changed: 0, unchanged: 0, failed: [], left: 0, ...last };
  await withStep(service, { name, by, hash: log?.hash ?? '', at: Date.now(), steps: [] }, step, 1);
  return ofEdits({ edit: name });
}

/** A request for every code of the table but one, which needs millions of users: users/lists.test.ts has it. */
const REQUESTS: Record<Exclude<ProblemCode, 'too-long'>, () => Request | Promise<Request>> = {
  validation: () => ['createUser', withBody('{"name":" "}')],
  'not-json': () => ['createUser', withBody('{"name":')],
  'refused-json': () => ['createUser', withBody('{"name":"Ann","__proto__":{}}')],
  'wrong-encoding': () => ['listUsers', { query: 'keyword=%FF' }],
  'invalid-parameter': () => ['listUsers', { query: 'age.gte=x' }],
  'unknown-parameter': () => ['listUsers', { query: 'staus=active' }],
  'unknown-sort': () => ['searchUsers', { query: 'sort=name' }],
  'impossible-id': () => [
    'replaceUser',
    { id: Number.MAX_SAFE_INTEGER, ...withBody('{"name":"Ann"}', { 'if-none-match': '*' }) },
  ],
  'token-expired': () => ['listUsers', authorized({ expires: 1 })],
  'insufficient-scope': () => ['listUsers', authorized({ heldScopes: 'users:write' })],
  'user-not-found': () => ['getUser', { id: 7 }],
  'path-not-found': () => ['unknownRoute', { more: { headers: accept, resource: '/{proxy+}', path: '/x' } }],
  'changes-not-kept': async () => {
    await keepChanges(0);
    return ['listChanges'];
  },
  'method-not-allowed': () => ['unknownRoute', { more: { headers: accept, httpMethod: 'DELETE' } }],
  'not-acceptable': () => ['getUser', { id: ann, ...withHeaders({ accept: 'text/html, application/problem+json' }) }],
  'patch-conflict': () => {
    const type = { 'content-type': 'application/json-patch+json' };
    return ['patchUser', { id: ann, ...withBody('[{"op":"remove","path":"/email"}]', type) }];
  },
  'email-taken': async () => {
    vi.stubEnv('UNIQUE_EMAILS', 'true');
    const { users, tables } = await serviceOn.embedded({ uniqueEmails: true });
    await users.create({ name: 'Ann', email: 'ann@example.com' });
    invoke = await loadHandlers(tables, await storeEndpoint());
    return ['createUser', withBody('{"name":"Bea","email":"ANN@example.com"}')];
  },
  'external-id-taken': async () => {
    const body = '{"name":"Ann","externalId":"auth0|1"}';
    await invoke('createUser', withBody(body));
    return ['createUser', withBody(body)];
  },
  'changes-gone': async () => {
    await keepChanges(30);
    return ['listChanges', { query: 'after=aaaaaa-1-0-aaaaaa' }];
  },
  'past-gone': async () => {
    await invoke('patchUser', { id: ann, body: { age: 77 } });
    await invoke('eraseUserChanges', { id: ann });
    return ['getUser', { id: ann, query: `at=${createdAt(ann)}` }];
  },
  'precondition-failed': () => ['deleteUser', { id: ann, ...withHeaders({ 'if-match': '"0"' }) }],
  'user-exists': () => ['replaceUser', { id: ann, ...withBody('{"name":"Ann"}', { 'if-none-match': '*' }) }],
  'body-too-large': () => ['createUser', withBody('x'.repeat(65_537))],
  'unsupported-media-type': () => ['createUser', withBody('a', { 'content-type': 'text/plain' })],
  'unsupported-encoding': () => ['createUser', withBody('a', { 'content-encoding': 'gzip' })],
  'idempotency-key-reused': async () => {
    await invoke('createUser', withBody('{"name":"Ann"}', { 'idempotency-key': 'a' }));
    return ['createUser', withBody('{"name":"Bea"}', { 'idempotency-key': 'a' })];
  },
  'edit-not-found': () => ['editUsers', ofEdits({ edit: '0'.repeat(16) })],
  'edit-too-large': async () => {
    await service.users.createMany([{ name: 'Bea' }, { name: 'Cem' }]);
    return ['editUsers', ofEdits({ atMost: 1 })];
  },
  'edit-busy': async () => ['editUsers', await ofEdit({ until: Date.now() + 60_000 })],
  'edit-undone': async () => ['editUsers', await ofEdit({ end: 'undone' })],
  'edit-differs': async () => ['editUsers', await ofEdit({ by: 'bea' })],
  internal: () => ['getUser', { id: ann, more: { headers: accept, resource: null as never } }],
  // A call needs a tenth of a second, and ends another tenth before the 503 is sent: half a second before the end of the function.
  unavailable: () => ['getUser', { id: ann, context: { ...context, getRemainingTimeInMillis: () => 690 } }],
};

test.each(Object.entries(REQUESTS))('the code %s is the type of its problem, and is in the log', async (code, make) => {
  const [operation, request] = await make();
  log.requests.length = 0;
  const response = await invoke(operation, { ...request, more: { headers: accept, ...request?.more } });
  const { status, meaning } = PROBLEMS[code as ProblemCode];
  const problem = response.json ?? { type: '', title: meaning, status: response.statusCode };
  expect([response.statusCode, problem, log.requests.at(-1)]).toMatchObject([
    ...[status, { type: `urn:problem:${code}`, title: meaning, status }],
    { status, code },
  ]);
});
