import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectEqual, expectWell } from './expectations.ts';
import { authorizationFor, type Rehearsal } from './run.ts';
import { serve } from './serve.ts';

/** The writers, as docs/runbook.md stops them. */
const WRITERS = ['createUser', 'replaceUser', 'patchUser', 'deleteUser'];

async function call(method: string, url: string, json?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    // The next request may come much later than a service keeps a connection.
    headers: { connection: 'close', ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** `aws lambda put-function-concurrency`, by its HTTP request. */
async function stopFunction(endpoint: string, name: string): Promise<void> {
  const url = `${endpoint}/2017-10-31/functions/${name}/concurrency`;
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: authorizationFor('lambda') },
    body: JSON.stringify({ ReservedConcurrentExecutions: 0 }),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
}

interface User {
  id: number;
}

const everybody = async (url: string): Promise<User[]> => (await call('GET', `${url}/api/users/all`)) as User[];

/** One write of each kind, and one user who comes and goes. */
async function write(url: string, [first, second, third]: readonly User[], name: string): Promise<void> {
  const users = `${url}/api/users`;
  const { id } = (await call('POST', users, { name })) as User;
  await call('PATCH', `${users}/${first?.id}`, { lastName: name });
  await call('PUT', `${users}/${second?.id}`, { name, country: 'C1' });
  await call('DELETE', `${users}/${third?.id}`);
  await call('DELETE', `${users}/${id}`);
  await call('POST', users, { name: `${name} stays` });
}

/** docs/runbook.md, "Move a stage": its users have the same ids at another stage, and were written until the last moment. */
export async function moveStage(rehearsal: Rehearsal, [from, to]: readonly [string, string]): Promise<void> {
  const { standIn, serverless, node, start } = rehearsal;
  expectWell(await serverless(`deploy --stage ${to}`));
  const folder = mkdtempSync(join(tmpdir(), 'move-'));
  const source = await serve(rehearsal, from);
  const target = await serve(rehearsal, to);
  try {
    expectWell(await node(`lib/tooling/operations/smoke.ts ${target.url}`));
    const before = await everybody(source.url);
    const state = join(folder, 'copy.json');
    const options = `--from ${source.url} --to ${target.url} --state ${state} --parallel 2 --follow`;
    const copy = start(`lib/tooling/moving/copy.ts ${options}`);
    await write(source.url, before, 'Early');
    await copy.says('Both agree since');
    await write(source.url, before.slice(3), 'Late');
    for (const name of WRITERS) await stopFunction(standIn.endpoint, `user-management-${from}-${name}`);
    expectEqual(await copy.end(), 0, `exit code of the copy, which said:\n${copy.said()}\n`);
    const moved = await everybody(target.url);
    expectEqual(moved.length, before.length, 'users');
    expectEqual(moved, await everybody(source.url), 'users');
  } finally {
    await Promise.all([source.end(), target.end()]);
    rmSync(folder, { recursive: true });
  }
}
