import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isEmbedded } from '../../tools/local/localStore.ts';
import { caller, launch, startService } from '../support/httpService.ts';
import { endWithTest } from '../support/localService.ts';
import { temporaryFolder } from '../support/programs.ts';

const folder = temporaryFolder();

const file = join(folder, 'events.ndjson');
const env = { EVENTS_FILE: file, DYNAMODB_DATA: join(folder, 'data.db'), JOURNAL_REST_MS: '0' };

const linesOf = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

test.runIf(isEmbedded())(
  'the local service appends each change to EVENTS_FILE once, and goes on after a restart',
  async () => {
    const first = await startService({ env });
    expect(first.output()).toContain(`Changes are at ${first.url}/api/users/changes, and are appended to ${file}.`);
    const { body } = await caller(first.url)('POST', '/api/users', { json: { name: 'Ann' } });
    const { id, createdAt } = body as { id: number; createdAt: string };
    await expect.poll(linesOf).toHaveLength(1);
    await first.stop();

    const second = await startService({ env });
    await caller(second.url)('PUT', `/api/users/${id}`, { json: { name: 'Bea' } });
    await caller(second.url)('DELETE', `/api/users/${id}`);
    await expect.poll(linesOf).toHaveLength(3);
    const event = (type: string, version: number, name: string) => ({
      source: 'user-management',
      'detail-type': `User ${type}`,
      time: expect.any(String),
      detail: {
        id,
        version,
        type,
        at: expect.any(String),
        user: { id, name, createdAt, updatedAt: expect.any(String) },
      },
    });
    expect(linesOf().map((line) => JSON.parse(line))).toEqual([
      event('created', 1, 'Ann'),
      event('updated', 2, 'Bea'),
      event('deleted', 3, 'Bea'),
    ]);
    // No request is routed to the function that sends events.
    expect(second.output()).not.toMatch(/sendEvents|warning/i);
    await second.stop();
  },
);

test('the local service does not start with an EVENTS_FILE that cannot be appended to', async () => {
  const missing = join(folder, 'missing', 'events.ndjson');
  const service = endWithTest(await launch({ env: { EVENTS_FILE: missing } }));
  expect(await service.ended).toBe(1);
  expect(service.output()).toContain(`Events cannot be appended to ${missing} (ENOENT)`);
});
