import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { encodeOptional, filtersOf } from '../../../../lib/users/keys.ts';
import { treeOf } from '../../../../lib/users/statistics/statistics.ts';
import { countBefore, readTotals, readValues, totalsDeltas } from '../../../../lib/users/statistics/totals.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { serviceOn } from '../../../support/service.ts';

const MISSING = '\u{10FFFF}\u0002';

const person = (status?: string, country?: string): UserFields => ({
  name: 'Ann',
  ...(status !== undefined && { status }),
  ...(country !== undefined && { country }),
});

const FOLDED = [
  person('on', 'DE'),
  person('on', 'DE'),
  person('On', 'DE'),
  person('off', 'FR'),
  person(undefined, 'FR'),
];
const RECENT = [person('on', 'FR'), person('a\u{10FFFF}', 'DE'), person()];

/** Five users in the statistics, and three in the journal. */
async function filled() {
  const given = serviceOn.memory();
  const created = await given.users.createMany(FOLDED);
  await given.fold();
  created.push(...(await given.users.createMany(RECENT)));
  const total = (values: Record<string, string>) =>
    withJournal(given.database, async (journal) => {
      const [found] = await readTotals(treeOf(given.database, journal.generation), journal, [values]);
      return found;
    });
  const values = (field: 'status' | 'country', within = {}) =>
    withJournal(given.database, async (journal) => {
      const all = await readValues(treeOf(given.database, journal.generation), journal, field, within);
      return all.map((each) => `${each.value === MISSING ? '(none)' : each.value} ${each.total}`).join(', ');
    });
  const earlier = (field: 'status' | 'country', within: Record<string, string>, text: string) =>
    withJournal(given.database, (journal) =>
      countBefore(treeOf(given.database, journal.generation), journal, field, within, text),
    );
  return { ...given, created, total, values, earlier };
}

test('a user is counted by status, by country, and by each within the other', () => {
  const user = { id: 42, version: 1, ...person('On', 'DE') };
  const counted = totalsDeltas(user, -1).map(({ map, deltas }) => [map.name, ...deltas]);
  expect(counted).toEqual(
    expect.arrayContaining([
      ['totals:status', { key: 'on\0On', bucket: 'n', n: -1 }],
      ['totals:country,status', { key: 'DE\0on\0On', bucket: 'n', n: -1 }],
      ['totals:country', { key: 'de\0DE', bucket: 'n', n: -1 }],
      ['totals:status,country', { key: 'On\0de\0DE', bucket: 'n', n: -1 }],
    ]),
  );
  expect(filtersOf(user)).toMatchObject({ status: 'On', country: 'DE' });
});

describe('the number of users', () => {
  test('with some values is exact, with the journal and after the next fold', async () => {
    const { total, fold } = await filled();
    const all = () =>
      Promise.all([
        total({}),
        total({ status: 'on' }),
        total({ status: 'On' }),
        total({ status: MISSING }),
        total({ country: 'DE' }),
        total({ status: 'on', country: 'DE' }),
        total({ status: 'off', country: 'DE' }),
        total({ status: 'o', country: 'F' }),
      ]);
    const expected = [8, 3, 1, 2, 4, 2, 0, 0];
    expect(await all()).toEqual(expected);
    await fold();
    expect(await all()).toEqual(expected);
  });

  test('follows those who change and who leave', async () => {
    const { users, created, total } = await filled();
    await users.update(created[0]?.id ?? 0, () => person('off', 'DE'));
    await users.delete(created[1]?.id ?? 0);
    await users.delete(created[5]?.id ?? 0);
    expect([await total({ status: 'on' }), await total({ status: 'off', country: 'DE' }), await total({})]).toEqual([
      0, 1, 6,
    ]);
  });
});

describe('the values of a field', () => {
  test('come in the order of a sort by the field, those that differ in case beside each other, and no value last', async () => {
    const { values, fold } = await filled();
    const expected = 'a\u{10FFFF} 1, off 1, On 1, on 3, (none) 2';
    expect(await values('status')).toBe(expected);
    await fold();
    expect(await values('status')).toBe(expected);
  });

  test('are those among the users with a value of another field', async () => {
    const { values } = await filled();
    expect(await values('status', { country: 'FR' })).toBe('off 1, on 1, (none) 1');
    expect(await values('country', { status: 'on' })).toBe('DE 2, FR 1');
    expect(await values('country', { status: 'o' })).toBe('');
  });
});

describe('the number of users with an earlier value', () => {
  test('is counted among all users, and among the users with a value of another field', async () => {
    const { earlier, fold } = await filled();
    const all = () =>
      Promise.all([
        earlier('status', {}, 'on'),
        earlier('status', {}, ''),
        earlier('country', {}, 'fr'),
        earlier('status', { country: 'DE' }, 'on'),
        earlier('status', { country: 'FR' }, 'on'),
        earlier('status', { country: 'FR' }, '\u{10FFFF}'),
        earlier('country', { status: 'on' }, 'fr'),
      ]);
    const expected = [2, 0, 4, 1, 1, 2, 2];
    expect(await all()).toEqual(expected);
    await fold();
    expect(await all()).toEqual(expected);
  });

  test('is not told where it would cost more than a read unit', async () => {
    const { users, fold, database } = serviceOn.memory({ sizes: { nodeBytes: 60 } });
    const values = Array.from({ length: 60 }, (_, n) => `status ${String(n).padStart(2, '0')}`);
    await users.createMany(values.map((status) => ({ name: 'a', status, country: 'FR' })));
    await fold();
    await withJournal(database, async (journal) => {
      const tree = treeOf(database, journal.generation);
      const earlier = (within: object, text: string) => countBefore(tree, journal, 'status', within, text);
      expect(await earlier({}, 'status 03')).toBe(3);
      expect(await earlier({ country: 'FR' }, 'status 03')).toBe(3);
      expect(await earlier({}, 'status 59')).toBeUndefined();
      expect(await earlier({ country: 'FR' }, 'status 59')).toBeUndefined();
    });
  });
});

test('totals of neighbours are in one node, and those of other nodes are read side by side', async () => {
  const { users, fold, databaseOf } = serviceOn.memory({ sizes: { nodeBytes: 60 } });
  const values = Array.from({ length: 40 }, (_, n) => `status ${String(n).padStart(2, '0')}`);
  await users.createMany(
    values.flatMap((status, n) => Array.from({ length: 1 + (n % 3) }, () => ({ name: 'a', status }))),
  );
  await fold();
  let calls = 0;
  const database = databaseOf((_, execute) => {
    calls++;
    return execute();
  });
  const read = (asked: string[]) =>
    withJournal(database, async (journal) => {
      calls = 0;
      const tree = treeOf(database, journal.generation);
      return {
        totals: await readTotals(
          tree,
          journal,
          asked.map((status) => ({ status: encodeOptional(status) })),
        ),
        calls,
      };
    });
  expect(await read(['status 01', 'status 00'])).toEqual({ totals: [2, 1], calls: 1 });
  const all = await read([...values.toReversed(), 'nobody']);
  expect(all.totals).toEqual([...values.map((_, n) => 1 + (n % 3)).toReversed(), 0]);
  expect(all.calls).toBeGreaterThan(5);
  expect(await read([])).toEqual({ totals: [], calls: 0 });
});
