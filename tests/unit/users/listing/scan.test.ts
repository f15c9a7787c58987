import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import type { Direction } from '../../../../lib/users/listing/order.ts';
import { readAll, scan, take } from '../../../../lib/users/listing/scan.ts';
import { spansWith } from '../../../../lib/users/listing/tiles.ts';
import { createView, type View } from '../../../../lib/users/listing/view.ts';
import type { Range } from '../../../../lib/users/lists.ts';
import type { User, UserFields } from '../../../../lib/users/user.ts';
import { listBy } from '../../../support/listBy.ts';
import { serviceOn } from '../../../support/service.ts';

const TINY = { nodeBytes: 60, segmentUsers: 4, sumUsers: 9, nearUsers: 1 };

/** Longer than an index may lag here. */
const LONG_MS = 10_000;

const people = (...names: string[]): UserFields[] => names.map((name) => ({ name }));

function setUpView() {
  const service = serviceOn.memory({ sizes: TINY });
  const view = () => withJournal(service.database, async (journal) => createView(service.database, journal));
  return { ...service, view };
}

const namesOf = (users: readonly User[]): string => users.map(({ name }) => name).join(' ');

const byName = (range: Range = {}) => ({ list: listBy('name'), ...range });

async function pagesOf(view: View, range: Range, direction: Direction, expected: number, most?: number) {
  const pages: string[] = [];
  const options = { direction, expected, ...(most !== undefined && { most }) };
  for await (const users of scan(view, byName(range), options)) pages.push(namesOf(users));
  return pages;
}

describe('a scan of a list', () => {
  test('gives the users from one key, included, to another, not included, in either direction', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people('a', 'b', 'c', 'd', 'e'));
    await fold();
    const seen = await view();
    const all = Number.POSITIVE_INFINITY;
    expect(namesOf(await take(seen, byName({ from: 'b\0', to: 'd\0' }), 'asc', all))).toBe('b c');
    expect(namesOf(await take(seen, byName({ from: 'b\0', to: 'd\0' }), 'desc', all))).toBe('c b');
    expect(namesOf(await take(seen, byName({ from: 'd\0' }), 'asc', all))).toBe('d e');
    expect(namesOf(await take(seen, byName({ to: 'b\0' }), 'desc', all))).toBe('a');
    expect(namesOf(await take(seen, byName(), 'desc', 2))).toBe('e d');
    expect(await take(seen, byName({ from: 'd\0', to: 'd\0' }), 'asc', all)).toEqual([]);
    expect(await take(seen, byName(), 'asc', 0)).toEqual([]);
  });

  test('shows what the journal has, where an index is late: the new, the changed at their new places, and not the gone', async () => {
    const { users, fold, view, setLag, pass } = setUpView();
    const [, b, c] = await users.createMany(people('a', 'b', 'c', 'd'));
    pass(LONG_MS);
    await fold();
    setLag(LONG_MS);
    await users.create({ name: 'bb' });
    await users.update(b?.id ?? 0, () => ({ name: 'z' }));
    await users.delete(c?.id ?? 0);
    const seen = await view();
    expect(await pagesOf(seen, {}, 'asc', 100)).toEqual(['a bb d', 'z']);
    expect(await pagesOf(seen, {}, 'desc', 100)).toEqual(['z d bb a', '']);
    expect(await pagesOf(seen, { from: 'b\0', to: 'd\0' }, 'asc', 100)).toEqual(['bb', '']);
  });

  test('reads as many users as are expected, then more and more', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people(...Array.from({ length: 20 }, (_, i) => `n${String(i).padStart(2, '0')}`)));
    await fold();
    const lengths = (pages: string[]) => pages.map((page) => (page === '' ? 0 : page.split(' ').length));
    expect(lengths(await pagesOf(await view(), {}, 'asc', 3))).toEqual([3, 6, 11, 0]);
    expect(lengths(await pagesOf(await view(), {}, 'asc', 3, 5))).toEqual([3, 5, 5, 5, 2, 0]);
  });

  test.each([
    ['nobody knows how many', Number.POSITIVE_INFINITY, [undefined, undefined, undefined, undefined]],
    ['nine', 9, [9, 3, 6, 12]],
  ])('goes on after a page that DynamoDB cuts, if %s are expected', async (_, expected, limits) => {
    const { users, fold, databaseOf } = serviceOn.memory({ sizes: TINY, itemsPerPage: 6 });
    await users.createMany(people(...Array.from({ length: 20 }, (_, i) => `n${i}`)));
    await fold();
    const asked: unknown[] = [];
    const database = databaseOf(({ input }, execute) => {
      const { IndexName, Limit } = input as QueryCommandInput;
      if (IndexName) asked.push(Limit);
      return execute();
    });
    const seen = await withJournal(database, async (journal) => createView(database, journal));
    await pagesOf(seen, {}, 'asc', expected);
    expect(asked).toEqual(limits);
  });

  test('reads the journal again between two pages, and never after the last', async () => {
    const { users, fold, view, database } = setUpView();
    await users.createMany(people('a', 'b', 'c', 'd'));
    await fold();
    const seen = await view();
    let renewed = 0;
    const renew = async () => {
      renewed++;
      if (renewed === 1) await users.createMany(people('a2', 'c2'));
      seen.journal = await withJournal(database, async (journal) => journal);
      return true;
    };
    const pages: string[] = [];
    for await (const some of scan(seen, byName(), { direction: 'asc', expected: 2, most: 2 }, renew))
      pages.push(namesOf(some));
    // `a2` belongs to a page that has been given.
    expect(pages.filter((page) => page !== '')).toEqual(['a b', 'c c2', 'd']);
    expect(renewed).toBe(2);
  });

  test('counts what it costs', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people('a', 'b'));
    await fold();
    const seen = await view();
    await take(seen, byName(), 'asc', 2);
    expect(seen.units).toBe(0.5);
  });
});

test('several parts of lists are read side by side, and come one after the other', async () => {
  const { users, fold, view } = setUpView();
  await users.createMany(people('a', 'b', 'c', 'd', 'e'));
  await fold();
  const spans = [byName({ from: 'd\0' }), byName({ to: 'b\0' }), byName({ from: 'b\0', to: 'd\0' })];
  expect(namesOf(await readAll(await view(), spans, ({ name }) => name !== 'c'))).toBe('d e a b');
});

test('a search in another script reads the segments that have it', async () => {
  const { users, fold, view } = setUpView();
  const lastNames = Array.from({ length: 27 }, (_, i) => (i >= 12 && i < 15 ? 'a' : 'ж'));
  await users.createMany(lastNames.map((lastName, i) => ({ name: `n${String(i).padStart(2, '0')}`, lastName })));
  await fold();
  const seen = { ...(await view()) };
  seen.database = { ...seen.database, sizes: { ...seen.database.sizes, segmentUsers: 1 } };
  const spans = await spansWith(seen, byName(), 'a');
  expect(spans.length).toBeGreaterThan(0);
  const read = await readAll(seen, spans, () => true);
  expect(read.map(({ name }) => name)).toEqual(expect.arrayContaining(['n12', 'n13', 'n14']));
  // The users of a few segments, and gaps that are not worth a call.
  await users.createMany(people(...Array.from({ length: 400 }, () => 'n00a')));
  await fold();
  const later = { ...(await view()), database: seen.database };
  expect((await readAll(later, await spansWith(later, byName(), 'a'), () => true)).length).toBeLessThan(40);
});
