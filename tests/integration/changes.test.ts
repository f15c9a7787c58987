import { describe, expect, test } from 'vitest';
import { handlerCalls } from '../support/calls.ts';
import type { Call } from '../support/httpService.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn } from '../support/service.ts';

interface Change {
  id: number;
  version: number;
  type: string;
}

logOfEachTest();

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

describe('GET /api/users/changes', () => {
  test('shows a change once it is folded, and leads to the next page', async () => {
    const now = await call('GET', '/api/users/changes?after=now');
    const { next: after } = now.body as { next: string };
    const { id } = await service.users.create({ name: 'Ann' });
    await service.fold();
    const { headers, body } = await call('GET', `/api/users/changes?after=${after}&size=1`);
    const { changes, next } = body as { changes: Change[]; next: string };
    expect(changes).toEqual([
      {
        id,
        version: 1,
        type: 'created',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        user: { id, name: 'Ann', createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
    ]);
    expect(headers.get('link')).toBe(`</api/users/changes?size=1&after=${next}>; rel="next"`);
    const last = await call('GET', `/api/users/changes?after=${next}`);
    expect([last.body, last.headers.get('link')]).toEqual([{ changes: [], next }, null]);
  });

  test('leads back from the newest change to the oldest, and tells in one request who did what to whom', async () => {
    const path = '/api/users/changes';
    const { next: start } = (await call('GET', `${path}?after=now`)).body as { next: string };
    const bela = await service.users.create({ name: 'Bela' }, { by: 'ann' });
    await service.users.update(bela.id, (fields) => ({ ...fields, status: 'suspended' }), { by: 'zoe' });
    await service.users.create({ name: 'Cem' }, { by: 'ann' });
    await service.fold();
    const shown = ({ body }: Awaited<ReturnType<Call>>) =>
      (body as { changes: (Change & { by: string; user: { name: string } })[] }).changes.map(
        ({ type, by, user }) => `${by} ${type} ${user.name}`,
      );
    const first = await call('GET', `${path}?before=now&size=2`);
    expect(shown(first)).toEqual(['ann created Cem', 'zoe updated Bela']);
    const { next } = first.body as { next: string };
    expect(first.headers.get('link')).toBe(`<${path}?size=2&before=${next}>; rel="next"`);
    expect(shown(await call('GET', `${path}?before=${next}&size=1`))).toEqual(['ann created Bela']);
    const about = await call('GET', `${path}?before=now&id=${bela.id}&id=7&type=updated&type=`);
    expect([shown(about), about.body]).toMatchObject([['zoe updated Bela'], { changes: [{ version: 2 }] }]);
    expect(about.body).not.toHaveProperty('next');
    expect(shown(await call('GET', `${path}?after=${start}&by=ann&by=bob`))).toEqual([
      ...['ann created Bela', 'ann created Cem'],
    ]);
    const none = await call('GET', `${path}?after=${start}&by=bob`);
    expect([shown(none), none.headers.get('link')]).toEqual([[], null]);
    expect(none.body).toHaveProperty('next');
    await service.changes.erase(bela.id);
    expect(shown(await call('GET', `${path}?before=now&by=zoe`))).toEqual([]);
  });

  test.each([
    ['after=1', 400, 'after must be "now", or the next of an earlier response'],
    ['after=now&after=now', 400, 'after must be given only once'],
    ['before=1', 400, 'before must be "now", or the next of an earlier response'],
    ['before=now&after=now', 400, 'after cannot be combined with before'],
    ['type=moved', 400, 'type must be created, updated or deleted'],
    ['id=7&id=x', 400, 'id must be a 64-bit integer'],
    ['by=a&'.repeat(101), 400, 'by must be given at most 100 times'],
    ['size=0', 400, 'size must be an integer from 1 to 1000'],
    // The token of other tables.
    ['before=zz-1-0-1', 410, expect.stringContaining('before=now')],
    ['after=zz-1-0-1', 410, expect.stringContaining('after=now')],
  ])('refuses %s with %i', async (query, status, message) => {
    expect(await call('GET', `/api/users/changes?${query}`)).toMatchObject({ status, body: { status, message } });
  });
});

describe('/api/users/{id}/changes', () => {
  test('shows at once what changed, and nothing after it was erased', async () => {
    const { id } = await service.users.create({ name: 'Ann', age: 3, email: 'ann@example.com' });
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
    const gone = await call('GET', `${path}?size=2`);
    expect([gone.body, gone.headers.get('link')]).toEqual([[], null]);
  });

  test('tell the user as of a moment, for three read units', async () => {
    const { id } = await service.users.create({ name: 'Ann' });
    await call('PATCH', `/api/users/${id}`, { json: { name: 'Bea' } });
    const [, created] = (await call('GET', `/api/users/${id}/changes`)).body as { at: string }[];
    await call('DELETE', `/api/users/${id}`);
    const { status, headers, body } = await call('GET', `/api/users/${id}?at=${created?.at}`);
    expect([status, headers.get('etag'), body]).toMatchObject([200, '"1"', { id, name: 'Ann' }]);
    expect(headers.get('server-timing')).toContain('"3 RRU"');
    expect((await call('GET', `/api/users/${id}?at=2999-01-01`)).status).toBe(404);
    expect((await call('GET', `/api/users/${id}?at=2020-01-01`)).status).toBe(404);
    expect((await call('GET', `/api/users/${id}?at=`)).status).toBe(404);
    const { body: refusal } = await call('GET', `/api/users/${id}?at=yesterday`);
    expect(refusal).toMatchObject({ status: 400, message: expect.stringMatching(/^at must be a date-time/) });
  });

  test.each(['7', '9007199254740993'])('is an empty array for a user %s, who never existed', async (id) => {
    expect((await call('GET', `/api/users/${id}/changes`)).body).toEqual([]);
    expect((await call('DELETE', `/api/users/${id}/changes`)).status).toBe(204);
  });
});
