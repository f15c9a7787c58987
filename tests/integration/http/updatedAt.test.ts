import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../lib/dynamodb/index.ts';
import { createIdSource, momentText } from '../../../lib/users/ids.ts';
import { changeItems } from '../../../lib/users/write.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

interface User {
  id: number;
  createdAt: string;
  updatedAt?: string;
}

const bodyOf = async <Body = User>(method: string, path: string, options = {}): Promise<Body> =>
  (await call(method, path, options)).body as Body;

const usersPath = '/api/users';
const create = (json: object = {}) => bodyOf('POST', usersPath, { json: { name: 'Ann', ...json } });

/** The moments of all changes of a user, the newest first. */
const changedAt = async ({ id }: { id: number }) =>
  (await bodyOf<{ at: string }[]>('GET', `${usersPath}/${id}/changes`)).map(({ at }) => at);

/** Moments are different from one write to the next. */
const nextMillisecond = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

beforeEach(nextMillisecond);

describe('updatedAt', () => {
  test('is that of the creation at first, and then the moment of the last write that changed something', async () => {
    const user = await create({ age: 1 });
    const path = `${usersPath}/${user.id}`;
    expect(user.updatedAt).toBe(user.createdAt);
    expect(await bodyOf('GET', path)).toEqual(user);
    await nextMillisecond();
    const writes: [method: string, json: object, type?: string][] = [
      ['PATCH', { age: 2 }],
      ['PUT', { name: 'Bea', updatedAt: '2020-01-01T00:00:00.000Z' }],
      ['PATCH', [{ op: 'add', path: '/age', value: 3 }], 'application/json-patch+json'],
    ];
    for (const [method, json, type = 'application/json'] of writes) {
      const { updatedAt: before } = await bodyOf('GET', path);
      const changed = await bodyOf(method, path, { body: JSON.stringify(json), headers: { 'content-type': type } });
      expect([changed.createdAt, changed.updatedAt]).toEqual([user.createdAt, (await changedAt(user))[0]]);
      expect(Date.parse(changed.updatedAt ?? '')).toBeGreaterThan(Date.parse(before ?? ''));
      expect(await bodyOf('GET', path)).toEqual(changed);
      await nextMillisecond();
    }
  });

  test('stays with a write that changes nothing, and what a client sends for it is no change', async () => {
    const { id } = await create({ externalId: 'stays' });
    const path = `${usersPath}/${id}`;
    await nextMillisecond();
    const { headers, body } = await call('PATCH', path, { json: { age: 7 } });
    await nextMillisecond();
    const other = { updatedAt: '2020-01-01T00:00:00.000Z' };
    const remove = JSON.stringify([{ op: 'remove', path: '/updatedAt' }]);
    const same = [
      await call('PATCH', path, { json: { age: 7, ...other } }),
      await call('PUT', path, { json: { name: 'Ann', externalId: 'stays', age: 7, ...other } }),
      await call('PUT', `${usersPath}?externalId=stays`, { json: { name: 'Ann', age: 7, ...other } }),
      await call('PATCH', path, { body: remove, headers: { 'content-type': 'application/json-patch+json' } }),
      await call('GET', path),
    ];
    for (const each of same) expect([each.body, each.headers.get('etag')]).toEqual([body, headers.get('etag')]);
    expect(await changedAt({ id })).toHaveLength(2);
  });

  test('is tested by a JSON Patch as it is shown', async () => {
    const { id, updatedAt } = await create();
    const patch = async (value?: string) => {
      const body = JSON.stringify([
        { op: 'test', path: '/updatedAt', value },
        { op: 'add', path: '/age', value: 1 },
      ]);
      const headers = { 'content-type': 'application/json-patch+json' };
      return (await call('PATCH', `${usersPath}/${id}`, { body, headers })).status;
    };
    expect([await patch(momentText(0)), await patch(updatedAt), await patch(updatedAt)]).toEqual([409, 200, 409]);
  });

  test('is that of the creation where a request with an Idempotency-Key is repeated, also later', async () => {
    const request = { json: { name: 'Ann' }, headers: { 'idempotency-key': 'updatedAt' } };
    const user = await bodyOf('POST', usersPath, request);
    await nextMillisecond();
    await call('PATCH', `${usersPath}/${user.id}`, { json: { age: 7 } });
    expect(await bodyOf('POST', usersPath, request)).toEqual(user);
  });

  test('is the moment of the write where the id is of an earlier one', async () => {
    const id = 600_000_000_000_000 + Math.floor(Math.random() * 1e12);
    const headers = { 'if-none-match': '*' };
    const user = await bodyOf('PUT', `${usersPath}/${id}`, { json: { name: 'Ann' }, headers });
    expect([user.createdAt.slice(0, 4), user.updatedAt]).toEqual(['2024', (await changedAt(user))[0]]);
  });

  test('is set by a batch, an edit, and its undo, also where that brings a user back', async () => {
    const [ann, bea] = [await create({ country: 'UA' }), await create({ country: 'UA' })];
    const moments = async () =>
      (await bodyOf<{ content: User[] }>('GET', `${usersPath}?country=UA`)).content.map(({ updatedAt }) => updatedAt);
    const last = async () => [(await changedAt(ann))[0], (await changedAt(bea))[0]];
    await nextMillisecond();
    const operations = [
      { op: 'patch', id: ann.id, patch: { age: 1 } },
      { op: 'patch', id: bea.id, patch: {} },
    ];
    const { results } = await bodyOf<{ results: { user: User }[] }>('POST', `${usersPath}/batch`, {
      json: { operations },
    });
    expect(results.map(({ user }) => user.updatedAt)).toEqual([(await changedAt(ann))[0], bea.createdAt]);
    const edits = `${usersPath}/edits`;
    for (const change of [{ patch: { age: 2 } }, { delete: true }]) {
      await nextMillisecond();
      const before = await moments();
      const { edit } = await bodyOf<{ edit: string }>('POST', `${edits}?country=UA`, {
        json: { ...change, atMost: 2 },
      });
      const between = await moments();
      if ('patch' in change) expect(between).toEqual(await last());
      await nextMillisecond();
      expect(await bodyOf('POST', `${edits}/${edit}/undo`)).toMatchObject({ changed: 2, left: 0 });
      expect(await moments()).toEqual(await last());
      expect(await moments()).not.toEqual(between);
      expect(await moments()).not.toEqual(before);
    }
  });

  test('chooses the users of an edit', async () => {
    const [first, second] = [
      await create({ country: 'UE' }),
      await nextMillisecond().then(() => create({ country: 'UE' })),
    ];
    const query = `country=UE&updatedAt.gte=${second.updatedAt}`;
    const edit = { patch: { age: 1 }, atMost: 2 };
    expect(await bodyOf('POST', `${usersPath}/edits?${query}`, { json: edit })).toMatchObject({
      changed: 1,
      failed: [],
    });
    expect(await bodyOf('GET', `${usersPath}/${first.id}`)).toEqual(first);
  });

  test('is that of its moment in ?at=, in the feed and in the history, which do not list it among the changed fields', async () => {
    const first = await create();
    const path = `${usersPath}/${first.id}`;
    const { next } = await bodyOf<{ next: string }>('GET', `${usersPath}/changes?after=now`);
    await nextMillisecond();
    const second = await bodyOf('PATCH', path, { json: { age: 7 } });
    await nextMillisecond();
    await call('DELETE', path);
    for (const isFolded of [false, true]) {
      if (isFolded) await service.fold();
      const changes = await bodyOf<{ at: string }[]>('GET', `${path}/changes`);
      // The id of a user is made before the write, so its moment may be a millisecond earlier.
      const [, updated, created] = changes.map(({ at }) => at);
      expect(await bodyOf('GET', `${path}?at=${created}`)).toEqual(first);
      expect([updated, await bodyOf('GET', `${path}?at=${updated}`)]).toEqual([second.updatedAt, second]);
      expect(changes).toMatchObject([
        { type: 'deleted', user: second, before: { name: 'Ann', age: 7 }, after: {} },
        { type: 'updated', user: second, before: {}, after: { age: 7 } },
        { type: 'created', user: first, before: {}, after: { name: 'Ann' } },
      ]);
    }
    const { changes } = await bodyOf<{ changes: { id: number; user: User }[] }>(
      'GET',
      `${usersPath}/changes?after=${next}`,
    );
    expect(changes.filter(({ id }) => id === first.id).map(({ user }) => user)).toEqual([first, second, second]);
  });

  test('is in lists, filters, orders, walks and counts, before and after they are folded', async () => {
    const users: User[] = [];
    for (const name of ['a', 'b', 'c']) users.push(await create({ name, status: 'forms' }));
    await nextMillisecond();
    users[0] = await bodyOf('PATCH', `${usersPath}/${users[0]?.id}`, { json: { age: 1 } });
    const [a, b, c] = users as [User, User, User];
    const day = a.updatedAt?.slice(0, 10);
    const list = `${usersPath}?status=forms`;
    for (const isFolded of [false, true]) {
      if (isFolded) await service.fold();
      const ids = async (query: string) =>
        (await bodyOf<{ content: User[] }>('GET', `${list}&${query}`)).content.map(({ id }) => id);
      expect(await bodyOf('GET', `${list}&sort=updatedAt,desc`)).toMatchObject({ content: [a, c, b] });
      expect(await bodyOf('GET', `${list}&cursor=0`)).toEqual([a, b, c]);
      expect(await bodyOf('GET', `${list.replace('?', '/all?')}&sort=updatedAt`)).toEqual([b, c, a]);
      expect(await ids(`updatedAt.gte=${a.updatedAt}`)).toEqual([a.id]);
      expect(await ids(`updatedAt.gt=${b.updatedAt}&updatedAt.lt=${a.updatedAt}`)).toEqual([c.id]);
      expect(await ids('updatedAt.gte=-PT1H&sort=updatedAt')).toEqual([b.id, c.id, a.id]);
      expect(await ids('updatedAt.lt=-PT1H')).toEqual([]);
      expect([await ids('updatedAt.missing=true'), await ids('updatedAt.missing=false')]).toEqual([
        [],
        [a.id, b.id, c.id],
      ]);
      const walk = await call('GET', `${list}&after=&size=2&sort=updatedAt,desc&fields=updatedAt`);
      const [, link] = /<([^>]*)>; rel="next"/.exec(walk.headers.get('link') ?? '') ?? [];
      expect(walk.body).toEqual([a, c].map(({ id, updatedAt }) => ({ id, updatedAt })));
      expect(await bodyOf('GET', link ?? '')).toEqual([{ id: b.id, updatedAt: b.updatedAt }]);
      const counts = (by: string) => bodyOf('GET', `${usersPath}/counts?status=forms&by=${by}`);
      expect(await counts('updatedAt.day,updatedAt.year')).toEqual({
        total: 3,
        counts: [{ 'updatedAt.day': day, 'updatedAt.year': day?.slice(0, 4), count: 3 }],
      });
      expect(await counts('updatedAt')).toEqual({
        total: 3,
        counts: [b, c, a].map(({ updatedAt }) => ({ updatedAt, count: 1 })),
      });
    }
  });

  test('is absent for a user of an earlier version until the next write, and its changes have their moments', async () => {
    const old = createIdSource(service.runtime)();
    const user = { id: old, version: 1, name: 'Old', status: 'earlier' };
    await transact(service, changeItems(service, { id: old, version: 1, before: undefined, after: user }));
    const path = `${usersPath}/${old}`;
    const list = `${usersPath}?status=earlier`;
    for (const isFolded of [false, true]) {
      if (isFolded) await service.fold();
      expect(await bodyOf('GET', path)).not.toHaveProperty('updatedAt');
      const { content } = await bodyOf<{ content: User[] }>('GET', `${list}&updatedAt.missing=true`);
      expect(content).toEqual([await bodyOf('GET', path)]);
      expect(await bodyOf('GET', `${list}&updatedAt.gte=2020-01-01`)).toMatchObject({ totalElements: 0 });
      expect(await bodyOf('GET', `${usersPath}/counts?status=earlier&by=updatedAt.day`)).toEqual({
        total: 1,
        counts: [{ count: 1 }],
      });
    }
    const [created] = await changedAt({ id: old });
    expect(await bodyOf('GET', `${path}?at=2099-01-01`)).toMatchObject({ updatedAt: created });
    expect(await bodyOf('PATCH', path, { json: {} })).not.toHaveProperty('updatedAt');
    const changed = await bodyOf('PATCH', path, { json: { age: 1 } });
    expect(changed.updatedAt).toBe((await changedAt({ id: old }))[0]);
    expect(await bodyOf('GET', list)).toMatchObject({ content: [changed] });
    expect(await verify(service)).toMatchObject({ differences: [] });
  });
});
