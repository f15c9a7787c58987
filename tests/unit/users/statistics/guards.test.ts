import { describe, expect, test } from 'vitest';
import { createFold } from '../../../../lib/users/journal/fold.ts';
import { toHead } from '../../../../lib/users/journal/head.ts';
import { createUserListing, type UserPage } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import { repairMap } from '../../../../lib/users/rebuild/repair.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import {
  FIRST_BOUND,
  type PageItem,
  readEntries,
  readFloorEntries,
  readPages,
  WHOLE_MAP,
} from '../../../../lib/users/statistics/pages.ts';
import { split, writePage } from '../../../../lib/users/statistics/pageWrites.ts';
import { createUserStore } from '../../../../lib/users/store.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { checkCounts } from '../../../support/fake/race.ts';
import {
  AT_ONCE,
  isTransaction,
  MAP,
  named,
  never,
  settled,
  setUp,
  small,
  totalOf,
} from '../../../support/fake/setUp.ts';
import { FakeStore, TABLES } from '../../../support/fake/store.ts';

describe('a page that is being split', () => {
  /** The new pages are there, and the first one still holds what was cut off from it. */
  async function halfSplit() {
    const given = setUp();
    await given.users.createMany(named('abca', 'abcb', 'abcc', 'abcd', 'abcd'));
    await given.fold();
    const dying = given.databaseOf((call, execute) => (call.command === 'PutCommand' ? never() : execute()));
    void split(small(dying), { pk: MAP, sk: FIRST_BOUND });
    await settled();
    return given;
  }

  test('counts each user once for those who read', async () => {
    const { database } = await halfSplit();
    expect((await readPages(database, MAP, WHOLE_MAP)).length).toBeGreaterThan(1);
    // Shorter keywords are counted elsewhere.
    expect([await totalOf(database, 'abc'), await totalOf(database, 'abcd')]).toEqual([5, 2]);
  });

  test('counts each user once for the fold that goes on', async () => {
    const { store, users, fold } = await halfSplit();
    await users.createMany(named('abcd', 'abca'));
    await fold();
    checkCounts(store);
  });

  test('tells a reader who would read it alone that there is more behind it', async () => {
    const { database, databaseOf, users, fold } = setUp();
    const inGermany = (...statuses: string[]): UserFields[] =>
      statuses.map((status) => ({ name: 'Ann', country: 'DE', status }));
    await users.createMany(inGermany('s1', 's2', 's3', 's4', 's5'));
    await fold();
    const dying = databaseOf((call, execute) => (call.command === 'PutCommand' ? never() : execute()));
    void split(small(dying), { pk: 'totals:country,status', sk: FIRST_BOUND });
    await settled();
    await users.createMany(inGermany('s5', 's5'));
    await fold();
    const order = totalOrder([{ property: 'status', direction: 'desc' }]);
    const query = { filters: { country: 'DE' }, keyword: undefined, order, number: 0, size: 4 };
    const { total, users: listed } = (await createUserListing(database).page(query)) as UserPage;
    expect(total).toBe(7);
    expect(listed.map(({ status }) => status)).toEqual(['s5', 's5', 's5', 's4']);
  });

  test('is read anew by who has read what is behind it before', async () => {
    const { database, databaseOf, users, fold } = setUp();
    await users.createMany(named('aa', 'ab', 'ac', 'ad'));
    await fold();
    let floors = 0;
    const reading = databaseOf(async ({ input }, execute) => {
      const isFloor = (input as { ScanIndexForward?: boolean }).ScanIndexForward === false;
      // What is above the position was read a moment ago.
      if (isFloor && floors++ === 0) {
        await settled();
        await split(small(database), { pk: MAP, sk: FIRST_BOUND });
      }
      return execute();
    });
    const entries = await readEntries(reading, MAP, 'aa\0', undefined);
    expect(entries.map(({ key }) => key)).toEqual(['aa\0', 'ab\0', 'ac\0', 'ad\0']);
    expect(floors).toBeGreaterThan(1);
  });

  test('is not split by what somebody has read before another has written it', async () => {
    const { store, database, databaseOf, users, fold } = setUp();
    await users.createMany(named('abca', 'abcb', 'abcc', 'abcd'));
    await fold();
    await users.createMany(named('abcd', 'abca'));
    const late = databaseOf(async (call, execute) => {
      if (isTransaction(call)) await fold();
      return execute();
    });
    await split(small(late), { pk: MAP, sk: FIRST_BOUND });
    checkCounts(store);
    expect(await totalOf(database, 'abc')).toBe(6);
  });
});

describe('a page', () => {
  test('is not written by what somebody has read before another has written it', async () => {
    const { database, users, fold } = setUp();
    await users.createMany(named('abca'));
    await fold();
    const open = await readFloorEntries(database, MAP, 'abca\0');
    await users.createMany(named('abcb'));
    await fold();
    const { page, entries } = open ?? { page: {} as PageItem, entries: [] };
    expect(await writePage(database, page, entries, page)).toBeUndefined();
    expect(await writePage(database, page, entries, undefined)).toBeUndefined();
    expect(await totalOf(database, 'abc')).toBe(2);
  });
});

describe('a page that a repair has swept', () => {
  test('is not counted again by a fold that was frozen before it wrote the page', async () => {
    const { store, database, databaseOf, users, fold, pass } = setUp();
    const [, leaving] = await users.createMany(named('ab', 'az'));
    await fold();
    await split(small(database), { pk: MAP, sk: FIRST_BOUND });
    const [, second] = await readPages(database, MAP, WHOLE_MAP);
    expect(second?.sk).toBe('az\0');
    await users.delete(leaving?.id ?? 0);

    let thaw = () => {};
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    const freezing = databaseOf(async (call, execute) => {
      const { Item } = call.input as { Item?: PageItem };
      if (call.command === 'PutCommand' && Item?.pk === MAP) await thawed;
      return execute();
    });
    const frozen = createFold(freezing, AT_ONCE).run(1_000);
    await settled();
    pass(20_000);
    await fold();
    checkCounts(store);

    const entries = await readEntries(database, MAP, FIRST_BOUND, undefined);
    await repairMap(database, MAP, 0, entries);
    expect(await readPages(database, MAP, WHOLE_MAP)).toHaveLength(1);
    thaw();
    await frozen;
    checkCounts(store);
    expect(await totalOf(database, 'ab')).toBe(1);
    expect((await readEntries(database, MAP, FIRST_BOUND, undefined)).map(({ key }) => key)).toEqual(['ab\0']);
  });
});

describe('a batch', () => {
  test('whose entries are being deleted counts no more: what is left of it may not cancel out', async () => {
    const { store, database, databaseOf, users, fold } = setUp();
    const [leaving] = await users.createMany(named('abc'));
    await fold();
    await users.createMany(named('abc'));
    await users.delete(leaving?.id ?? 0);
    const entries = () => store.itemsOf('directory').filter(({ pk, sk }) => pk === 'journal' && sk !== '#head');
    expect(entries()).toHaveLength(2);
    const frozen = databaseOf((call, execute) => (call.command === 'BatchWriteCommand' ? never() : execute()));
    void createFold(frozen, AT_ONCE).run(1_000);
    await settled();
    for (const { pk, sk } of entries()) {
      expect(await totalOf(database, 'abc')).toBe(1);
      store.tables.directory?.delete({ pk, sk });
    }
    expect(await totalOf(database, 'abc')).toBe(1);
  });

  test('is no larger than what one page can take', async () => {
    const { store, users, databaseOf } = setUp();
    await users.createMany(named('😀'.repeat(200), '😀'.repeat(199)));
    const claiming = databaseOf((call, execute) => (call.command === 'PutCommand' ? never() : execute()));
    void createFold(claiming, AT_ONCE).run(1_000);
    await settled();
    const head = store.tables.directory?.get({ pk: 'journal', sk: '#head' });
    expect(toHead(head).batch.length).toBe(1);
  });

  test('is deleted a second after it was claimed: nobody then reads a page of the journal from before', async () => {
    let time = 1_790_000_000_000;
    const store = new FakeStore({ now: () => time });
    const at: Record<string, number> = {};
    let claimed = 0;
    const dynamo = store.client({
      async around({ command }, execute) {
        const response = await execute();
        at[command] ??= time;
        if (command === 'UpdateCommand' && at.BatchWriteCommand === undefined) claimed = time;
        return response;
      },
      pause: async () => {},
    });
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    const runtime = { now: () => time, monotonic: () => time, random: () => 0.5, sleep };
    const database = { dynamo, tables: TABLES, runtime, sizes: SIZES };
    await createUserStore({ ...database, dynamo: store.client() }).createMany(named('aa'));
    const seen = time;
    expect(await createFold(database).run(60_000)).toMatchObject({ folded: 1, left: 0 });
    expect(claimed - seen).toBeGreaterThanOrEqual(2_000);
    expect((at.BatchWriteCommand ?? 0) - claimed).toBeGreaterThanOrEqual(1_000);
  });
});

test('tables of another version are refused', async () => {
  const { store, database } = setUp();
  store.tables.directory?.put({ pk: 'journal', sk: '#head', format: 1, epoch: 1, total: 0 });
  await expect(totalOf(database, 'abc')).rejects.toMatchObject({
    status: 500,
    message: 'The tables have format 1; this version knows 4 alone',
  });
});
