import { describe, expect, test } from 'vitest';
import type { UsersIndex } from '../../../../lib/users/indexes.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import type { Direction } from '../../../../lib/users/listing/order.ts';
import { scan } from '../../../../lib/users/listing/scan.ts';
import { createView, type View } from '../../../../lib/users/listing/view.ts';
import { readPages, WHOLE_MAP } from '../../../../lib/users/statistics/pages.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { setUp } from '../../../support/fake/setUp.ts';
import { listBy } from '../../../support/listBy.ts';

const TINY = { pageBytes: 60, segmentUsers: 4, segmentsPerSum: 3, fewSegments: 3, nearUsers: 1, commonUsers: 1 };

/** More than are read before other scripts are left out. */
const MANY = 1_000;

const digits = (i: number): string => String(i).padStart(2, '0');

/** Users whose names are in the order of their places. */
const people = (...lastNames: string[]): UserFields[] =>
  lastNames.map((lastName, i) => ({ name: `n${digits(i)}`, email: `${digits(i)}@x.org`, lastName }));

const repeated = (count: number, lastName: string): string[] => Array.from({ length: count }, () => lastName);

interface Asked {
  order?: UsersIndex['order'];
  direction?: Direction;
  expected?: number;
  probe?: number;
}

/** The names of the users that a search for `a` reads. */
async function namesIn(
  view: View,
  { order = 'name', direction = 'asc', expected = MANY, probe = expected }: Asked = {},
) {
  const names: string[] = [];
  for await (const { name } of scan(view, listBy(order), { direction, expected, probe, keyword: 'a' }))
    names.push(name);
  return names;
}

function setUpView() {
  const service = setUp(TINY);
  const view = () => withJournal(service.database, async (journal) => createView(service.database, journal));
  return { ...service, view };
}

describe('a scan for a keyword', () => {
  const LAST_NAMES = [...repeated(12, 'ж'), ...repeated(3, 'a'), ...repeated(12, 'ж')];

  test('leaves out segments of users whose last names are in other scripts', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people(...LAST_NAMES));
    await fold();
    for (const order of ['name', 'email'] as const) {
      const read = await namesIn(await view(), { order });
      expect(read).toEqual(expect.arrayContaining(['n12', 'n13', 'n14']));
      // Three users have at most three segments, of at most four users each.
      expect(read.length).toBeLessThanOrEqual(12);
      expect(await namesIn(await view(), { order, direction: 'desc' })).toEqual(read.toReversed());
    }
  });

  test('reads as many users as expected before it leaves any out, and none of them again', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people(...LAST_NAMES));
    await fold();
    for (const order of ['name', 'email'] as const) {
      const all = LAST_NAMES.map((_, i) => `n${digits(i)}`);
      const rest = await namesIn(await view(), { order });
      for (const expected of [1, 5, 13, 14, 27, 100]) {
        const first = all.slice(0, expected);
        const read = await namesIn(await view(), { order, expected });
        expect(read.slice(0, expected)).toEqual(first);
        expect(read.slice(expected)).toEqual(rest.filter((name) => !first.includes(name)));
        const last = all.slice(-expected);
        const back = await namesIn(await view(), { order, expected, direction: 'desc' });
        expect(back.toReversed().slice(-expected)).toEqual(last);
        expect(back.toReversed().slice(0, -expected)).toEqual(rest.filter((name) => !last.includes(name)));
      }
    }
  });

  test('leaves none out while it probes', async () => {
    const { users, fold, view } = setUpView();
    await users.createMany(people(...LAST_NAMES));
    await fold();
    const all = LAST_NAMES.map((_, i) => `n${digits(i)}`);
    const read = await namesIn(await view(), { expected: 11, probe: 2 });
    expect(read.slice(0, 11)).toEqual(all.slice(0, 11));
    expect(read.length).toBeLessThan(27);
  });

  test('reads the users of one name one after another', async () => {
    const { users, fold, view } = setUpView();
    const created = await users.createMany(repeated(9, 'a').map((lastName) => ({ name: 'Ann', lastName })));
    await fold();
    for (const direction of ['asc', 'desc'] as const) {
      const ids: number[] = [];
      const options = { direction, expected: 2, keyword: 'a' };
      for await (const { id } of scan(await view(), listBy('name'), options)) ids.push(id);
      const expected = created.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids).toEqual(direction === 'asc' ? expected : expected.toReversed());
    }
  });

  test('has the users of the journal, although their segments count nobody with its script', async () => {
    const { users, fold, view } = setUpView();
    const created = await users.createMany(people(...repeated(12, 'ж')));
    await fold();
    const before = await view();
    const known = await before.segments(listBy('name'), '\0', undefined);
    await users.update(created[7]?.id ?? 0, (now) => ({ ...now, lastName: 'a' }));
    await users.create({ name: 'n055', lastName: 'a' });
    const late: View = { ...(await view()), total: async () => 12, sums: async () => [], segments: async () => known };
    expect(known.map(({ byScript }) => byScript.get('in latin') ?? 0)).toEqual(known.map(() => 0));
    expect(await namesIn(late)).toEqual(['n055', 'n07']);
    expect(await namesIn(late, { direction: 'desc' })).toEqual(['n07', 'n055']);
  });

  test('finds the users of segments that a repair has deleted', async () => {
    const { store, database, users, fold, view } = setUpView();
    await users.createMany(people(...Array.from({ length: 60 }, (_, i) => (i % 20 < 17 ? 'ж' : 'a'))));
    await fold();
    await users.create({ name: 'n60', lastName: 'a' });
    await fold();
    const expected = ['n17', 'n18', 'n19', 'n37', 'n38', 'n39', 'n57', 'n58', 'n59', 'n60'];
    const found = async () => (await namesIn(await view())).filter((name) => expected.includes(name));
    expect(await found()).toEqual(expected);
    for (const map of ['segments2:byName:user', 'segments1:byName:user']) {
      const pages = await readPages(database, map, WHOLE_MAP);
      expect(pages.length).toBeGreaterThan(1);
      // In the order of a repair, which deletes the first page first.
      for (const { pk, sk } of pages) {
        store.tables.directory?.delete({ pk, sk });
        expect(await found()).toEqual(expected);
      }
    }
  });
});
