import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeType } from '../../../lib/changes/items.ts';
import { keepChanges } from '../../../lib/changes/keep.ts';
import type { FeedPage, ShownChange, ShownQuery } from '../../../lib/changes/shown.ts';
import { changeHead, makeHead, toEntry } from '../../../lib/replica/internals.ts';
import type { Database } from '../../../lib/users/database.ts';
import { entryItem } from '../../../lib/users/entry.ts';
import { creationTime } from '../../../lib/users/ids.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { largestFields } from '../../support/arbitraries.ts';
import { named, never, settled } from '../../support/fake/steps.ts';
import { changesOf, HISTORY_DAYS, serviceOn } from '../../support/service.ts';

/** Everything from a token on. */
async function follow(database: Database, after: string | undefined, size = 100) {
  const { feed } = changesOf(database);
  const all: string[] = [];
  let next = after;
  for (;;) {
    const page = await feed({ after: next, size });
    expect(page.changes.length).toBeLessThanOrEqual(size);
    all.push(...page.changes.map(({ id, version, type }) => `${id} ${version} ${type}`));
    next = page.next;
    if (page.changes.length === 0) return { all, next };
  }
}

function start() {
  const given = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const have = async (...names: string[]) => {
    const created = await given.users.createMany(named(...names));
    await given.fold();
    return created;
  };
  return { ...given, ...given.changes, have };
}

const CLAIMED = 1_790_000_000_000;

const nameOf = ({ id, version, type }: ShownChange) => `${id} ${version} ${type}`;

const some = <Value>(...values: Value[]) => fc.option(fc.subarray(values, { minLength: 1 }), { nil: undefined });
const filter = fc.record({
  by: some('w0', 'w1', 'nobody'),
  types: some<ChangeType>('created', 'updated', 'deleted'),
  ids: some(1, 7, 40, 999, 5_000),
});
const sizes = fc.constantFrom(1_000, 700, 37);

/** Keeps batches of some sizes: users 1 to 1,250 in turn, two writers, all types. @returns what a reader should see */
async function keepBatches(database: Database, batches: readonly number[]): Promise<ShownChange[]> {
  await makeHead(database, batches.length + 1, []);
  await changeHead(database, { set: { feed: 'big', batches: [batches.length, batches.length + 1] } });
  const all: ShownChange[] = [];
  for (const [i, size] of batches.entries()) {
    const entries = Array.from({ length: size }, (_, n) => {
      const [place, at] = [all.length, CLAIMED + all.length];
      const [id, version] = [(place % 1_250) + 1, Math.floor(place / 1_250) + 1];
      const before = place % 3 > 0 ? { id, version: version - 1, name: 'Ann', updatedAt: at - 1 } : undefined;
      const after = place % 3 < 2 ? { id, version, name: `Ann ${place}`, updatedAt: at } : undefined;
      const by = `w${n % 2}`;
      const type = (['created', 'updated', 'deleted'] as const)[place % 3] ?? 'updated';
      all.push({ id, version, at, type, by, user: after ?? before } as ShownChange);
      return toEntry(entryItem({ id, version, by, before, after }, at), creationTime);
    });
    const head = { feed: 'big', epoch: i + 2, batchBefore: i === 0 ? 0 : i + 1, claimedAt: CLAIMED + i };
    await keepChanges(database, head, entries, HISTORY_DAYS);
  }
  return all;
}

/** All pages of a question, to the end. */
async function walk(feed: (query: ShownQuery) => Promise<FeedPage>, direction: 'after' | 'before', asked: ShownQuery) {
  const found: ShownChange[] = [];
  for (let at = direction === 'after' ? undefined : 'now'; ; ) {
    const { changes, next } = await feed({ ...asked, [direction]: at });
    expect(changes.length).toBeLessThanOrEqual(asked.size);
    found.push(...changes);
    if (next === undefined || next === at) return found;
    at = next;
  }
}

// Followers beside writers and folds that die are in tests/property/races.test.ts, and the end of changes in periods.test.ts.
describe('the feed of changes', () => {
  test('goes on after a rebuild, and is 410 after a restore', async () => {
    const { have, database, users, fold, feed } = start();
    await have('a');
    const { next } = await follow(database, undefined);
    await verify(database, { always: true });
    await have('b');
    const { all, next: last } = await follow(database, next);
    expect(all).toHaveLength(1);
    await verify(database, { restored: true });
    for (const fresh of [[], named('c')]) {
      await users.createMany(fresh);
      await fold();
      for (const token of [next, last])
        await expect(feed({ after: token, size: 1 })).rejects.toMatchObject({ status: 410 });
    }
    expect((await follow(database, undefined)).all).toHaveLength(1);
  });

  test('gives a batch of two thousand of the largest possible users in responses that Lambda can send', async () => {
    const { database, store, feed } = start();
    const entries = Array.from({ length: 2_000 }, (_, i) => {
      const after = { id: i + 1, version: 1, ...largestFields('😀') };
      const change = { id: after.id, version: 1, before: undefined, after, by: 'x'.repeat(255) };
      return toEntry(entryItem(change, 1_790_000_000_000), creationTime);
    });
    await makeHead(database, 1, []);
    await changeHead(database, { set: { feed: 'big' } });
    const batch = { feed: 'big', epoch: 1, batchBefore: 0, claimedAt: 1_790_000_000_000 };
    await keepChanges(database, batch, entries, HISTORY_DAYS);
    expect(store.itemsOf('directory').filter(({ pk }) => String(pk).startsWith('changes'))).toHaveLength(4);
    let [next, seen]: [string | undefined, number] = [undefined, 0];
    do {
      const page: FeedPage = await feed({ after: next, size: 1_000 });
      seen += page.changes.length;
      expect(JSON.stringify(page).length * 2).toBeLessThan(6_000_000);
      next = page.next;
    } while (seen < 2_000);
    expect((await feed({ after: next, size: 1_000 })).changes).toEqual([]);
  });

  test('is walked forth and back by writer, type and user, whatever the pages: each once, and nothing is left out', async () => {
    const { database, feed } = start();
    const all = await keepBatches(database, [3, 1_200, 1, 700]);
    await fc.assert(
      fc.asyncProperty(filter, fc.constantFrom('after', 'before'), sizes, async (asked, direction, size) => {
        const found = await walk(feed, direction, { ...asked, size });
        const { by, types, ids } = asked;
        const wanted = all.filter(
          ({ type, id, by: writer = '' }) =>
            (by?.includes(writer) ?? true) && (types?.includes(type) ?? true) && (ids?.includes(id) ?? true),
        );
        const names = wanted.map(nameOf);
        expect(found.map(nameOf)).toEqual(direction === 'after' ? names : names.reverse());
      }),
      { numRuns: 30 },
    );
  });

  test('looks at a thousand changes a request, so a page without one may have more behind it', async () => {
    const { database, feed } = start();
    const all = await keepBatches(database, [1_500]);
    const asked = { ids: [300], size: 5 };
    const { changes, next } = await feed({ ...asked, before: 'now' });
    expect([changes, next]).toEqual([[], `big-2-${(500).toString(36)}-${CLAIMED.toString(36)}`]);
    expect(await feed({ ...asked, before: next })).toEqual({ changes: [all[299]] });
  });

  test('ends, read backwards, where a batch has expired', async () => {
    const { database, store, feed } = start();
    const all = await keepBatches(database, [2, 3, 1, 4]);
    store.lose('directory', ({ pk, previous }) => pk === 'changes:big' && previous === 2);
    for (const size of [5, 4, 2]) expect(await walk(feed, 'before', { size })).toEqual(all.slice(5).reverse());
  });

  test('accepts a token from the time in which a batch is stuck, and is kept long after it was claimed', async () => {
    const { users, fold, pass, processOf, database } = serviceOn.memory({ historyDays: HISTORY_DAYS });
    await users.create({ name: 'Ann' });
    await fold();
    pass(1_000);
    const { id } = await users.create({ name: 'Bob' });
    const dying = processOf(({ command }, execute) =>
      command === 'BatchExecuteStatementCommand' ? never() : execute(),
    );
    void dying.fold();
    for (let turn = 0; turn < 20; turn++) await settled();
    const { feed } = changesOf(database);
    const first = await feed({ after: undefined, size: 100 });
    pass(10 * 60_000);
    const second = await feed({ after: first.next, size: 100 });
    expect([first.changes.length, second.changes.length]).toEqual([1, 0]);
    await fold();
    expect((await feed({ after: second.next, size: 100 })).changes).toMatchObject([{ id, type: 'created' }]);
  });

  test.each([true, false])(
    'has the first change of a stage for who followed before; a fold was first: %s',
    async (isFolded) => {
      const { users, fold, feed } = start();
      const { next } = await feed({ after: 'now', size: 1 });
      if (isFolded) await fold();
      const { id } = await users.create({ name: 'Ann' });
      await fold();
      expect((await feed({ after: next, size: 10 })).changes).toMatchObject([{ id, type: 'created' }]);
    },
  );

  test('is 404 where changes are not kept', async () => {
    const { feed, history } = serviceOn.memory().changes;
    for (const asked of [feed({ after: 'now', size: 1 }), history({ id: 1, before: undefined, size: 1 })])
      await expect(asked).rejects.toMatchObject({ status: 404 });
  });
});
