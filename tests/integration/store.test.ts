import { describe, expect, test } from 'vitest';
import { systemRuntime } from '../../lib/runtime.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { serviceOn } from '../support/service.ts';

import { counted, everything, recount } from '../support/stored.ts';

const ann = { name: 'Ann', lastName: 'Lee', status: 'active', country: 'DE' };

describe('a store', () => {
  test('returns a created user by its id', async () => {
    const { users } = await serviceOn.embedded();
    const fields = { ...ann, email: 'ann@example.com', age: 0, firstName: '' };
    const { id, ...created } = await users.create(fields);
    expect(created).toEqual({ ...fields, version: 1 });
    expect(await users.get(id)).toEqual({ ...fields, id, version: 1 });
  });

  test('raises the version with every write and keeps the id', async () => {
    const { users } = await serviceOn.embedded();
    const { id } = await users.create(ann);
    await users.update(id, () => ({ name: 'Bea' }));
    expect(await users.update(id, (current) => ({ ...current, age: 3 }))).toEqual({
      id,
      version: 3,
      name: 'Bea',
      age: 3,
    });
    expect(await users.get(id)).toEqual({ id, version: 3, name: 'Bea', age: 3 });
  });

  test('has no deleted user, and does not count it', async () => {
    const service = await serviceOn.embedded();
    const { id } = await service.users.create(ann);
    await service.users.delete(id);
    await expect(service.users.get(id)).rejects.toMatchObject({
      status: 404,
      message: `User not found with id: ${id}`,
    });
    await service.fold();
    expect(await counted(service)).toEqual({});
    expect(await everything(service)).toMatchObject({ users: [], entries: [], head: { total: 0, batch: [] } });
  });

  test.each(['get', 'update', 'delete'] as const)('throws 404 for %s of an unknown id', async (method) => {
    const { users } = await serviceOn.embedded();
    const call = method === 'update' ? users.update(7, () => ann) : users[method](7);
    await expect(call).rejects.toMatchObject({ status: 404, message: 'User not found with id: 7' });
  });

  test('draws another id when one is taken', async () => {
    const runtime = { now: () => 1_790_000_000_000, random: () => 0.5 };
    const first = await serviceOn.embedded({ clock: runtime });
    const { id } = await first.users.create(ann);
    const second = createUserStore({ ...first, runtime: { ...systemRuntime, ...runtime } });
    expect((await second.create({ name: 'Bea' })).id).toBe(id + 1);
    expect(await first.users.get(id)).toMatchObject({ name: 'Ann', version: 1 });
  });
});

describe('a write', () => {
  test('stores the user with its fields as one attribute, and one entry in the journal', async () => {
    const service = await serviceOn.embedded({ clock: { now: () => 1_790_000_000_000, random: () => 0 } });
    const { id } = await service.users.create(ann);
    const { users, ...directory } = await everything(service);
    expect(users).toEqual([
      {
        ...{ id: 869_020_467_200_000, v: 1, f: { n: 'Ann', l: 'Lee', s: 'active', c: 'DE' } },
        ...{ k: 'user', cPart: 'DE', sKey: 'active\0\u00000869020467200000' },
        cKey: 'de\0DE\u00000869020467200000',
        nKey: 'ann\u00000869020467200000',
        eKey: '\u{10FFFF}\u0002\u00000869020467200000',
        aKey: '\u{10FFFF}\u0002\u00000869020467200000',
        fKey: '\u{10FFFF}\u0002\u00000869020467200000',
        lKey: 'lee\u00000869020467200000',
      },
    ]);
    expect(id).toBe(869_020_467_200_000);
    expect(directory).toMatchObject({
      entries: [{ sk: '0869020467200000999999999998', after: 'nAnn\0lLee\0sactive\0cDE\0' }],
      pages: [],
      records: [],
    });
  });

  test('that is refused leaves no journal entry', async () => {
    const service = await serviceOn.embedded();
    const { id } = await service.users.create(ann);
    const late = await serviceOn.embedded({ tables: service.tables });
    const read = await late.users.get(id);
    await service.users.delete(id);
    await expect(late.users.update(id, () => read)).rejects.toMatchObject({ status: 404 });
    expect((await everything(service)).entries).toHaveLength(2);
  });
});

describe('the tag of all users', () => {
  test('changes with each write, but not with a fold', async () => {
    const { users, listing, fold } = await serviceOn.embedded();
    const tag = async () =>
      (await listing.after({ filters: {}, keyword: undefined, after: 0, size: 1 }, () => true)).tag;
    const tags = [await tag()];
    const { id } = await users.create(ann);
    tags.push(await tag());
    await fold();
    expect(await tag()).toBe(tags[1]);
    await users.update(id, () => ann);
    tags.push(await tag());
    await users.delete(id);
    tags.push(await tag());
    await fold();
    expect(await tag()).toBe(tags[3]);
    expect(new Set(tags).size).toBe(4);
  });
});

describe('statistics', () => {
  test('follow a user to another status and country', async () => {
    const service = await serviceOn.embedded();
    const { id } = await service.users.create(ann);
    await service.users.create({ name: 'Bea', country: 'FR' });
    await service.fold();
    await service.users.update(id, () => ({ name: 'Ann', country: 'DE', lastName: 'Øe' }));
    await service.fold();
    const counts = Object.entries(await counted(service)).filter(([name]) => !name.endsWith(' h'));
    expect(Object.fromEntries(counts)).toEqual({
      'totals:status -| n': 2,
      'totals:country de|DE n': 1,
      'totals:country fr|FR n': 1,
      'totals:country,status DE|-| n': 1,
      'totals:country,status FR|-| n': 1,
      'totals:status,country -|de|DE n': 1,
      'totals:status,country -|fr|FR n': 1,
      'names:ø øe| -|DE': 1,
      'names:e e|ø -|DE': 1,
      'pieces:ø ø -|DE': 1,
      'pieces:ø øe -|DE': 1,
      'pieces:e e -|DE': 1,
    });
    expect((await everything(service)).head).toMatchObject({ total: 2, batch: [], epoch: 2 });
  });

  test('equal a recount after 700 parallel writes of 25 writers, and no update is lost', async () => {
    const service = await serviceOn.embedded();
    const { users } = service;
    const statuses = ['active', 'locked', undefined];
    const countries = ['DE', 'FR'];
    const pick = <Value>(values: Value[], n: number) => values[n % values.length] as Value;
    const fields = (n: number) => {
      const status = pick(statuses, n);
      return {
        name: `User ${n}`,
        lastName: pick(['Lee', 'Ley', 'Øst', `Rare${n}`], n),
        country: pick(countries, n),
        ...(status !== undefined && { status }),
      };
    };
    const shared = (await users.createMany(Array.from({ length: 10 }, (_, n) => ({ ...fields(n), age: 0 })))).map(
      ({ id }) => id,
    );
    let increments = 0;
    let kept = shared.length;
    async function writer(w: number): Promise<void> {
      for (let n = 0; n < 5; n++) {
        const { id } = await users.create(fields(w + n));
        await users.update(id, () => fields(w + n + 1));
        if (n % 2 === 0) await users.delete(id);
        else kept++;
        await users.update(pick(shared, w + n), (current) => ({
          ...current,
          age: (current.age ?? 0) + 1,
          ...fields(w * n),
        }));
        increments++;
      }
    }
    const folds = [service, await serviceOn.embedded({ tables: service.tables })];
    const writers = Promise.all(Array.from({ length: 25 }, (_, w) => writer(w)));
    await Promise.all([writers, ...folds.map(({ fold }) => fold())]);
    await service.fold();

    const { head, entries, users: items } = await everything(service);
    expect({ entries, batch: head.batch, total: head.total }).toEqual({ entries: [], batch: [], total: kept });
    expect(items).toHaveLength(kept);
    expect(await counted(service)).toEqual(await recount(service));
    const ages = await Promise.all(shared.map(async (id) => (await users.get(id)).age ?? 0));
    expect(ages.reduce((sum, age) => sum + age, 0)).toBe(increments);
  });

  test('in small nodes count the same', async () => {
    const service = await serviceOn.embedded({ sizes: { recentBytes: 0 } });
    const source = people(3);
    await service.users.createMany(Array.from({ length: 600 }, () => source.next().value));
    await service.users.createMany(Array.from({ length: 200 }, (_, n) => ({ ...ann, status: `status ${n}` })));
    await service.fold();
    // The next batch merges the names.
    await service.users.create({ name: 'Ann', lastName: 'Lee' });
    await service.fold();
    const { pages, entries } = await everything(service);
    expect(entries).toEqual([]);
    expect(pages.filter(({ data }) => (data as Uint8Array).length > 2_048)).toEqual([]);
    expect(pages.filter(({ pk }) => String(pk).endsWith(':names:e')).length).toBeGreaterThan(2);
    expect(await counted(service)).toEqual(await recount(service));
  });
});
