import { describe, expect, test } from 'vitest';
import { metered, unavailable } from '../../../lib/ground/index.ts';
import { createFoldWith, createFollower, createIndexUpkeep, readHead } from '../../../lib/replica/index.ts';
import { beginCopy, changeHead } from '../../../lib/replica/internals.ts';
import type { Engine } from '../../../lib/search/index.ts';
import { totalOrder } from '../../../lib/users/order.ts';
import type { UserListing } from '../../../lib/users/questions.ts';
import { createSearchedListing } from '../../../lib/users/searched.ts';
import { createUserIndex, indexNames } from '../../../lib/users/userIndex.ts';
import { FakeEngine } from '../../support/fake/engine.ts';
import { AT_ONCE } from '../../support/fake/steps.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { askNames, askPage } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

const log = logOfEachTest();

const STAGE = 'unit';
const LONG_MS = 60_000;

type Between = (request: Parameters<Engine>[0]) => object | undefined | Promise<void>;

/** Takes all documents of a request but those of users who are named so. */
const refusing =
  (name: string): Parameters<FakeEngine['of']>[0] =>
  async (request, execute) => {
    const lines = String(request.body ?? '').split('\n');
    const at = lines.findIndex((line) => line.includes(`"x.name":"${name}"`));
    if (at < 0) return execute();
    const { index } = JSON.parse(lines.splice(at - 1, 2)[0] ?? '');
    const taken = lines.some(Boolean) ? await execute({ ...request, body: lines.join('\n') }) : undefined;
    const error = { type: 'document_parsing_exception' };
    return { items: [...((taken?.items ?? []) as object[]), { index: { _id: index._id, status: 400, error } }] };
  };

/** A stage with users, whose lists come from an index. Time passes there with each sleep. @param between answers a request in place of the engine, if it returns something */
async function stage(between: Between = () => undefined, slept: { hours: number } = { hours: 0 }) {
  let time = 0;
  const service: MemoryService = serviceOn.memory({
    clock: {
      monotonic: () => time,
      sleep: async (milliseconds) => {
        time += milliseconds;
        service.pass(slept.hours * 3_600_000);
      },
    },
  });
  const { database, users } = service;
  const fake = new FakeEngine();
  const engine: Engine = fake.of(async (request, execute) => (await between(request)) ?? execute());
  await createIndexUpkeep(database).begin();
  await users.createMany([{ name: 'a' }, { name: 'b' }]);
  const puts: string[] = [];
  const index = createUserIndex(
    fake.of((request, execute) => {
      if (request.path.includes('/_bulk')) puts.push(String(request.body));
      return refusing('poison')(request, execute);
    }),
    STAGE,
  );
  const follower = createFollower(database, index, { changeOverMs: 0 });
  while (!(await readHead(database))?.base?.indexed) await follower.run(LONG_MS);
  const listing = createSearchedListing(database, { engine, nameOf: indexNames(STAGE) });
  const fold = () => createFoldWith(database, createIndexUpkeep(database), AT_ONCE).run(LONG_MS);
  return { ...service, fake, follower, index, listing, fold, puts };
}

/** The two users of the stage are in its journal, and come from there. */
const FAR = 300_000;

interface Composite {
  size: number;
  after?: Record<number, number>;
}

/** A search that finds very many users. */
const many = ({ path }: { path: string }) =>
  path.includes('/_search?') ? { _shards: { failed: 0 }, hits: { total: { value: FAR }, hits: [] } } : undefined;

const page = (number: number) => ({ filters: {}, order: totalOrder([]), number, size: 100 });

test('a process that still copies the table when the index has taken its place puts nobody: lists that began before have not read them', async () => {
  const { database, index, listing } = await stage();
  const { name = '' } = (await readHead(database))?.base ?? {};
  expect(await index.put(name, [{ id: 3, version: 1, row: { id: 3, name: 'late' } }], true)).toBe(false);
  expect([await index.exists(name), await index.show(name)]).toEqual([true, true]);
  expect(await askNames(listing)).toEqual({ names: ['a', 'b'], total: 2 });
});

test('a call that begins a copy, and arrives when that has taken its place, begins none', async () => {
  const { database } = await stage();
  const { base } = (await readHead(database)) ?? {};
  const { name = '', epoch = 0, at = 0, kinds = '' } = base ?? {};
  expect(await beginCopy(database, { name, epoch, at, kinds, users: 0 })).toBe(false);
  expect((await readHead(database))?.copy).toBeUndefined();
});

test('an index that has all users, and is lost before it takes the place, is made anew, also when nobody writes', async () => {
  const { database, follower, fake, listing } = await stage();
  const { base, epoch = 0 } = (await readHead(database)) ?? {};
  const { at = 0, kinds = '' } = base ?? {};
  fake.indexes.clear();
  await beginCopy(database, { name: 'lost', epoch, at, kinds, users: 2, indexed: epoch });
  await follower.run(LONG_MS);
  expect((await readHead(database))?.copy).toBeUndefined();
  expect(await askNames(listing)).toEqual({ names: ['a', 'b'], total: 2 });
});

test('an index that takes no more rows of the table, and was begun once more by a late call, is given up', async () => {
  const { database, follower, index } = await stage();
  const { base, epoch = 0 } = (await readHead(database)) ?? {};
  const { at = 0, kinds = '' } = base ?? {};
  await index.create('late');
  await index.endCopy('late');
  await beginCopy(database, { name: 'late', epoch, at, kinds, users: 0 });
  await follower.run(LONG_MS);
  expect(await readHead(database)).toMatchObject({ base: { name: base?.name } });
  expect((await readHead(database))?.copy).toBeUndefined();
});

test('a process that has slept since it read puts nothing: the index may have forgotten a deletion', async () => {
  const slept = { hours: 0 };
  const { users, fold, follower, puts } = await stage(undefined, slept);
  await users.create({ name: 'c' });
  await fold();
  puts.length = 0;
  slept.hours = 1;
  await follower.run(1);
  expect(puts).toEqual([]);
  expect(log.faults.map(({ message }) => message)).toContainEqual('The request ran out of time');
  slept.hours = 0;
  await follower.run(LONG_MS);
  expect(puts.join()).toContain('"x.name":"c"');
});

describe('lists from an index', () => {
  test('say how many users have changed since its state, and name no replica', async () => {
    const { listing, users } = await stage();
    await users.create({ name: 'c' });
    const { besideIndex, replica } = await metered(async (meter) => {
      await listing.page(page(0));
      return meter;
    });
    expect({ besideIndex, replica }).toEqual({ besideIndex: 3, replica: undefined });
  });

  test('have what was written since its state, and the tag of the state of all', async () => {
    const { listing, users } = await stage();
    const before = await askPage(listing, {});
    await users.create({ name: 'c' });
    expect(await askNames(listing)).toEqual({ names: ['a', 'b', 'c'], total: 3 });
    expect((await askPage(listing, {})).tag).not.toBe(before.tag);
    expect(await listing.page(page(0), (tag) => tag === before.tag)).toHaveProperty('users');
    const { tag } = await askPage(listing, {});
    expect(await listing.page(page(0), (known) => known === tag)).toEqual({ tag });
  });

  test('are asked again when a later batch was put into the index between the journal and the search', async () => {
    let isLater = false;
    const late = await stage(async ({ path }) => {
      if (isLater || !path.includes('/_search?')) return;
      isLater = true;
      await late.users.create({ name: 'c' });
      await late.fold();
      await late.follower.run(1);
    });
    const first = await askPage(late.listing, {});
    const second = await askPage(late.listing, {});
    expect(first.page.content.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect([isLater, first.tag]).toEqual([true, second.tag]);
  });

  test('refuse a page that is too far from both ends, and name the walk that reaches it', async () => {
    const { listing } = await stage(many);
    await expect(listing.page(page(1_500))).rejects.toMatchObject({
      status: 400,
      message: 'page is more than 100000 users from both ends of the list: use after= to walk there',
    });
    for (const number of [900, 2_999, 4_000])
      expect(await listing.page(page(number))).toMatchObject({ total: FAR + 2 });
  });

  /** A search of users with a last name each, which come page by page. */
  function namesOf(count: number) {
    const asked: number[] = [];
    const search = ({ path, body }: Parameters<Engine>[0]) => {
      const { aggs, query } = (body ?? {}) as { aggs?: Record<'by', { composite: Composite }>; query?: object };
      const { by } = aggs ?? {};
      if (!path.includes('/_search?') || !by) return undefined;
      // The engine takes a query without a condition for one of all rows, and is slow.
      expect(query).toMatchObject({ bool: { must_not: [{ ids: {} }] } });
      const { size, after } = by.composite;
      const from = after?.[0] ?? 0;
      asked.push(from);
      const length = Math.min(size, count - from);
      const buckets = Array.from({ length }, (_, i) => ({ key: { 0: `name ${from + i}` }, doc_count: 1 }));
      const found = { by: { buckets, after_key: { 0: from + length } } };
      return { _shards: { failed: 0 }, hits: { total: { value: count }, hits: [] }, aggregations: found };
    };
    return { search, asked };
  }

  const countNames = (listing: UserListing) => listing.counts({ filters: {}, by: ['lastName'], most: 10 });

  test('refuse counts of very many values, and say what to count instead', async () => {
    const { listing } = await stage(namesOf(FAR).search);
    await expect(countNames(listing)).rejects.toMatchObject({
      status: 400,
      message: 'by has more than 200000 values: filter the users, or count by another property',
    });
  });

  test('read many values page by page, and not beyond the last page', async () => {
    const { search, asked } = namesOf(120_005);
    const { listing } = await stage(search);
    // Two users of the stage have none.
    expect(await countNames(listing)).toMatchObject({ total: 120_007, others: 119_996 });
    expect(asked).toEqual([0, 60_000, 120_000]);
  });

  test('are 503 with a time to wait while the engine is away, and while an index is far behind', async () => {
    const away = await stage(() => {
      throw unavailable('away');
    });
    const refused = { status: 503, headers: { 'retry-after': '1' } };
    await expect(away.listing.page(page(0))).rejects.toMatchObject(refused);
    const behind = await stage();
    const head = await readHead(behind.database);
    await changeHead(behind.database, { set: { epoch: (head?.epoch ?? 0) + 100 } });
    await expect(behind.listing.page(page(0))).rejects.toMatchObject(refused);
  });

  test('tell of a document that the engine refuses, count it for the alarm, and take the others', async () => {
    const { users, follower, fold, listing } = await stage();
    const { id } = await users.create({ name: 'poison' });
    await users.create({ name: 'd' });
    await fold();
    await follower.run(LONG_MS);
    const told = `The document of ${id} cannot be applied, and is set aside`;
    expect(log.faults).toEqual([expect.objectContaining({ message: told })]);
    expect((await fold()).broken).toBe(1);
    expect((await askNames(listing)).names).toEqual(['a', 'b', 'd']);
  });

  test('follow beside a fold, and report both', async () => {
    const { database, users, follower, fold } = await stage();
    await users.create({ name: 'c' });
    const report = await follower.beside(fold)(LONG_MS);
    const { base, epoch } = (await readHead(database)) ?? {};
    expect(report).toMatchObject({ folded: 3, left: 0, behindMs: 0 });
    expect(base?.indexed).toBe(epoch);
  });

  test('do not fill a stage: creates go on when a base would have no room, and none is written', async () => {
    const { database, users, store, follower, listing } = await stage();
    const full = { ...database, limits: { ...database.limits, baseBytes: 1 } };
    await users.create({ name: 'c' });
    const report = await createFoldWith(full, createIndexUpkeep(full), AT_ONCE).run(LONG_MS);
    expect([report.left, (await readHead(database))?.pressure]).toEqual([0, undefined]);
    expect(store.itemsOf('directory').filter(({ pk }) => String(pk).startsWith('base:'))).toEqual([]);
    await follower.run(LONG_MS);
    const { base, epoch } = (await readHead(database)) ?? {};
    expect(base?.indexed).toBe(epoch);
    expect((await askNames(listing)).total).toBe(3);
  });
});
