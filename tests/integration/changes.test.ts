import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeExamples } from '../support/examples.ts';
import { type Call, caller, createOver, type LocalService, ROOT } from '../support/httpService.ts';
import { serviceOn } from '../support/service.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

interface Change {
  id: number;
  version: number;
  type: string;
  user?: { name: string };
}

let service: LocalService;
let call: Call;

beforeAll(async () => {
  service = await serviceOn.http({ env: { JOURNAL_REST_MS: '0' } });
  call = caller(service.url);
});

afterAll(() => service.stop());

const create = (fields: object) => createOver(call)(fields);

/** Waits until there are changes after a token. */
const changesAfter = (after: string): Promise<Change[]> =>
  vi.waitUntil(
    async () => {
      const { changes } = (await call('GET', `/api/users/changes?after=${after}`)).body as { changes: Change[] };
      return changes.length > 0 && changes;
    },
    { timeout: 300_000, interval: 300 },
  );

const tokenOfNow = async () => ((await call('GET', '/api/users/changes?after=now')).body as { next: string }).next;

describe('GET /api/users/changes', () => {
  test('shows a change some seconds after the write, and leads to the next page', async () => {
    const after = await tokenOfNow();
    const { id } = await create({ name: 'Ann' });
    expect(await changesAfter(after)).toEqual([
      {
        id,
        version: 1,
        type: 'created',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        user: { id, name: 'Ann', createdAt: expect.any(String) },
      },
    ]);
    const { headers, body } = await call('GET', `/api/users/changes?after=${after}&size=1`);
    const { next } = body as { next: string };
    expect(headers.get('link')).toBe(`</api/users/changes?size=1&after=${next}>; rel="next"`);
    expect((await call('GET', `/api/users/changes?after=${next}`)).body).toMatchObject({ changes: [] });
  });

  test.each([
    ['after=1', 400, 'after must be "now", or the next of an earlier response'],
    ['after=now&after=now', 400, 'after must be given only once'],
    ['size=0', 400, 'size must be an integer from 1 to 1000'],
    // The token of other tables.
    ['after=zz-1-0-1', 410, expect.stringContaining('after=now')],
  ])('refuses %s with %i', async (query, status, message) => {
    expect(await call('GET', `/api/users/changes?${query}`)).toMatchObject({ status, body: { status, message } });
  });
});

describe('/api/users/{id}/changes', () => {
  test('shows at once what changed, and nothing after it was erased', async () => {
    const { id } = await create({ name: 'Ann', age: 3, email: 'ann@example.com' });
    await call('PATCH', `/api/users/${id}`, { json: { age: 4, email: null } });
    await call('DELETE', `/api/users/${id}`);
    const path = `/api/users/${id}/changes`;
    const { status, body } = await call('GET', path);
    expect(status).toBe(200);
    const fields = (body as object[]).map((change) => {
      const { type, before, after } = change as { type: string; before: object; after: object };
      return [type, before, after];
    });
    expect(fields).toEqual([
      ['deleted', { name: 'Ann', age: 4 }, {}],
      ['updated', { email: 'ann@example.com', age: 3 }, { age: 4 }],
      ['created', {}, { name: 'Ann', email: 'ann@example.com', age: 3 }],
    ]);
    const { headers, body: page } = await call('GET', `${path}?size=2`);
    expect((page as Change[]).map(({ version }) => version)).toEqual([3, 2]);
    expect(headers.get('link')).toBe(`<${path}?size=2&before=2>; rel="next"`);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).body).toEqual([]);
  });

  test.each(['7', '9007199254740993'])('is an empty array for a user %s, who never existed', async (id) => {
    expect((await call('GET', `/api/users/${id}/changes`)).body).toEqual([]);
    expect((await call('DELETE', `/api/users/${id}/changes`)).status).toBe(204);
  });
});

describe('the client in docs/changes.md', () => {
  const folder = temporaryFolder();

  const sync = () => {
    execFileSync(process.execPath, ['copy.ts'], { cwd: folder, env: { ...process.env, API: service.url } });
    return JSON.parse(readFileSync(join(folder, 'copy.json'), 'utf8')) as {
      after: string;
      users: Record<string, object>;
    };
  };

  const usersNow = async () => {
    const all = (await call('GET', '/api/users/all')).body as { id: number }[];
    return Object.fromEntries(all.map((user) => [user.id, user]));
  };

  test('copies all users, follows their changes, and goes on after a restart and after a lost token', async () => {
    writeExamples(folder);
    symlinkSync(join(ROOT, 'docs/openapi.d.ts'), join(folder, 'openapi.d.ts'));
    const stays = await create({ name: 'Stays' });
    const goes = await create({ name: 'Goes' });
    expect(sync().users).toEqual(await usersNow());
    await call('PATCH', `/api/users/${stays.id}`, { json: { name: 'Stayed' } });
    await call('DELETE', `/api/users/${goes.id}`);
    await create({ name: 'Comes' });
    await expect.poll(() => sync().users, { timeout: 60_000, interval: 500 }).toEqual(await usersNow());
    writeFileSync(join(folder, 'copy.json'), JSON.stringify({ after: 'zz-1-0-1', users: { 5: {} } }));
    expect(sync().users).toEqual(await usersNow());
  });
});
