import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { caller, createOver } from '../../tests/support/httpService.ts';
import { serviceForFile } from '../../tests/support/localService.ts';
import { serveForTest, startProgram } from '../../tests/support/programs.ts';

/** Changes are in the feed a second after the write. */
const service = await serviceForFile({ env: { JOURNAL_REST_MS: '0' } });
const call = caller(service.url);
const create = createOver(call);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver that takes everything, unless it answers by itself. */
async function startReceiver(answer: (response: ServerResponse, got: Got, count: number) => unknown = () => {}) {
  const got: Got[] = [];
  const url = await serveForTest(async (request, response) => {
    const one = { headers: request.headers, body: await text(request) };
    await answer(response, one, got.push(one));
    if (!response.headersSent && !response.destroyed) response.writeHead(204).end();
  });
  return { url, got, told: () => got.map(({ body }) => JSON.parse(body)) };
}

/** Starts `npm run door -- webhook`. */
function startDoor(...options: string[]) {
  const { child, ended } = startProgram(process.execPath, ['tools/doors/door.ts', 'webhook', ...options]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, said: () => said };
}

describe('a door on this machine', () => {
  test('sends each change at once, and prints a line for each', async () => {
    const { url, told } = await startReceiver();
    const { child, ended, said } = startDoor('--url', service.url, '--to', url, '--secret', SECRET);
    await expect.poll(said).toContain('from now on');
    const { id } = await create({ name: 'Ann' });
    await call('PATCH', `/api/users/${id}`, { json: { status: 'left' } });
    await call('DELETE', `/api/users/${id}`);
    await expect.poll(() => told().length).toBe(3);
    const user = { id, name: 'Ann', createdAt: expect.any(String), updatedAt: expect.any(String) };
    const left = { ...user, status: 'left' };
    const at = expect.any(String);
    expect(told()).toEqual([
      { type: 'user.created', timestamp: at, data: { id, version: 1, type: 'created', at, user } },
      { type: 'user.updated', timestamp: at, data: { id, version: 2, type: 'updated', at, user: left } },
      { type: 'user.deleted', timestamp: at, data: { id, version: 3, type: 'deleted', at, user: left } },
    ]);
    await expect.poll(said).toContain(`User ${id} version 3 deleted: 204`);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});
