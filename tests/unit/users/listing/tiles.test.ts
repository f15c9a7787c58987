import { describe, expect, test } from 'vitest';
import { USERS_INDEXES } from '../../../../lib/users/indexes.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import {
  countWanted,
  isNearEnd,
  rankOf,
  spansOf,
  spansWith,
  type Tile,
  tilesWithin,
} from '../../../../lib/users/listing/tiles.ts';
import { createView, type View } from '../../../../lib/users/listing/view.ts';
import type { List } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import type { Level, Part, Segment } from '../../../../lib/users/statistics/segments.ts';
import { serviceOn } from '../../../support/service.ts';

const index = USERS_INDEXES.find(({ name }) => name === 'byName');
const LIST = { index, partition: 'user' } as List;
const ALL = { list: LIST };

const segment = (from: string | undefined, users: number, more: Record<string, number> = {}): Segment => ({
  from,
  users,
  counts: new Map(Object.entries({ n: users, ...more })),
});

/** Two sums, of three segments and of two. `e` has values that are not listed. */
const SUMS = [
  segment(undefined, 60, { 's=on': 6, 'in latin': 60 }),
  segment('d', 40, { 's=on': 9, 'in latin': 4, 'in greek': 38 }),
];
const PARTS: Record<string, Segment[]> = {
  first: [
    segment(undefined, 20, { 's=on': 1, 'in latin': 20 }),
    segment('b', 20, { 'in latin': 20 }),
    segment('c', 20, { 's=on': 5, 'in latin': 20 }),
  ],
  d: [
    segment('d', 10, { 's=on': 8, 'in latin': 2, 'in greek': 8 }),
    segment('e', 30, { 's=on': 1, 's+': 4, 'in latin': 2, 'in greek': 30 }),
  ],
};

interface Asked {
  level: Level;
  from: string | undefined;
  to: string | undefined;
}

function viewOf(sums = SUMS, parts = PARTS) {
  const asked: Asked[] = [];
  const segments = async (level: Level, _: List, { from, to }: Part = {}) => {
    asked.push({ level, from, to });
    const found = level === 'sums' ? sums : (parts[from ?? 'first'] ?? []);
    const end = level === 'sums' ? undefined : to;
    return found.map((each, i) => ({ ...each, to: found[i + 1]?.from ?? end }));
  };
  const view = { segments, database: { sizes: { ...SIZES, segmentUsers: 12 } } } as unknown as View;
  return { view, asked };
}

/** Where each begins and ends, `^` and `$` for the ends of the list, how many users are before it, and in it. */
const told = (tiles: Tile[] | undefined) =>
  tiles?.map(({ from = '^', to = '$', rank, users }) => `${from}-${to} ${rank}+${users}`).join(', ');

describe('the segments that have ranks of a list', () => {
  test.each<[number, number, string]>([
    [0, 20, '^-b 0+20'],
    [19, 21, '^-b 0+20, b-c 20+20'],
    [45, 46, 'c-d 40+20'],
    [59, 75, 'c-d 40+20, d-e 60+10, e-$ 70+30'],
    [100, 120, ''],
  ])('%i to %i of all users', async (start, end, expected) => {
    expect(told(await tilesWithin(viewOf().view, ALL, {}, start, end))).toBe(expected);
  });

  test('are found in one sum, of which the segments are read', async () => {
    const { view, asked } = viewOf();
    await tilesWithin(view, ALL, {}, 45, 46);
    expect(asked).toEqual([
      { level: 'sums', from: undefined, to: undefined },
      { level: 'segments', from: undefined, to: 'd' },
    ]);
  });

  test('are those of users with a value, as far as segments list it', async () => {
    const { view } = viewOf();
    expect(told(await tilesWithin(view, ALL, { status: ['on'] }, 0, 3))).toBe('^-b 0+1, b-c 1+0, c-d 1+5');
    expect(told(await tilesWithin(view, ALL, { status: ['on'] }, 6, 10))).toBe('d-e 6+8');
  });

  test('are not told where a value may be among those that are not listed', async () => {
    const { view } = viewOf();
    expect(await tilesWithin(view, ALL, { status: ['off'] }, 0, 3)).toEqual([]);
    const unsure = viewOf([segment(undefined, 60, { 's=on': 6, 's+': 2 }), SUMS[1] as Segment]);
    expect(await tilesWithin(unsure.view, ALL, { status: ['off'] }, 0, 1)).toBe(undefined);
    expect(told(await tilesWithin(unsure.view, ALL, { status: ['on'] }, 0, 1))).toBe('^-b 0+1');
  });
});

describe('how many users are before a key', () => {
  test('is known from segments alone where one begins', async () => {
    const { view } = viewOf();
    expect([await rankOf(view, ALL, undefined), await rankOf(view, ALL, 'b'), await rankOf(view, ALL, 'e')]).toEqual([
      0, 20, 70,
    ]);
    expect(await rankOf(view, ALL, 'd', { status: ['on'] })).toBe(6);
  });

  test('is not a number where segments do not tell', async () => {
    expect(
      await rankOf(
        viewOf([SUMS[0] as Segment], { first: [segment(undefined, 5, { 's+': 2 }), segment('b', 3)] }).view,
        ALL,
        'b',
        { status: ['on'] },
      ),
    ).toBe(Number.NaN);
  });

  test('is zero in an empty list', async () => {
    expect(await rankOf(viewOf([], {}).view, ALL, 'b')).toBe(0);
  });
});

describe('how many users a part of a list has', () => {
  test('is zero in an empty list, and in an empty segment', async () => {
    const span = { list: LIST, from: 'b', to: 'c' };
    expect(await countWanted(viewOf([], {}).view, span, {})).toBe(0);
    const empty = viewOf([segment(undefined, 9)], { first: [segment(undefined, 9), segment('a', 0), segment('d', 0)] });
    expect(await countWanted(empty.view, span, {})).toBe(0);
  });

  test('goes on to the end of the list after an empty first segment', async () => {
    const { view } = viewOf([segment(undefined, 9)], { first: [segment(undefined, 0), segment('d', 9)] });
    expect(await countWanted(view, { list: LIST, from: 'a', to: undefined }, {})).toBe(9);
  });

  test('is not a number where there are no segments yet', async () => {
    const { view } = viewOf([segment(undefined, Number.NaN)], { first: [segment(undefined, Number.NaN)] });
    expect(await countWanted(view, { list: LIST, from: 'b', to: 'c' }, {})).toBe(Number.NaN);
  });

  test('is counted one by one between two keys of one segment', async () => {
    const { users, fold, databaseOf } = serviceOn.memory();
    await users.createMany(['a', 'bb', 'bc', 'bd', 'c'].map((name) => ({ name })));
    await fold();
    const read: number[] = [];
    const database = databaseOf(async (call, execute) => {
      const output = (await execute()) as { Items: unknown[] };
      if ((call.input as { IndexName?: string }).IndexName) read.push(output.Items.length);
      return output;
    });
    const counted = await withJournal(database, (journal) =>
      countWanted(createView(database, journal), { list: LIST, from: 'b', to: 'c' }, {}),
    );
    expect(counted).toBe(3);
    expect(read).toEqual([3]);
  });
});

test.each<[from: string | undefined, to: string | undefined, key: string, boolean]>([
  ['da', 'dz', 'db', false],
  ['da', 'dz', 'dx', true],
  ['12', '20', '13', false],
  ['12', '20', '19', true],
  [undefined, 'm', 'c', false],
  [undefined, 'm', 'k', true],
  ['d', undefined, 'z', false],
  // A bound of the length of the key is the best there is; behind a much longer one the key is far away.
  ['46\u000007', '47\u0000054', '47\u0000', false],
  ['3dx', 'ab\u0003', '3e', false],
  ['38', '41', '40', true],
  ['anm', 'ann\u0003', 'ann', true],
  ['\u0642', '\u0648', '\u0643', false],
])('in the segment from %j to %j, %j is near the end: %s', (from, to, key, expected) => {
  expect(isNearEnd({ from, to }, key)).toBe(expected);
});

describe('the parts of a list that are read', () => {
  const tile = (from: string, to: string, users: number): Tile => ({
    from,
    to,
    rank: 0,
    users,
    segment: segment(from, users),
  });
  const tiles = [tile('a', 'b', 9), tile('b', 'c', 400), tile('c', 'd', 9), tile('d', 'e', 100), tile('e', 'f', 9)];

  test('are joined where only few users are between them', () => {
    const spans = spansOf({ list: LIST, from: undefined, to: undefined }, tiles, ({ users }) => users === 9);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([
      ['a', 'b'],
      ['c', 'f'],
    ]);
  });

  test('are within the span', () => {
    const spans = spansOf({ list: LIST, from: 'c3', to: 'e5' }, tiles, ({ users }) => users === 9);
    expect(spans.map(({ from, to }) => [from, to])).toEqual([['c3', 'e5']]);
  });

  test('leave out segments without letters of a script, and look into sums in which few names have them', async () => {
    const { view, asked } = viewOf();
    expect((await spansWith(view, ALL, 'λ')).map(({ from, to }) => [from, to])).toEqual([['d', undefined]]);
    expect(asked.map(({ level, from }) => `${level} ${from}`)).toEqual(['sums undefined']);
    const latin = viewOf(SUMS, { d: [segment('d', 10, { 'in latin': 4 }), segment('e', 300, { 'in greek': 300 })] });
    expect((await spansWith(latin.view, ALL, 'ab')).map(({ from, to }) => [from, to])).toEqual([[undefined, 'e']]);
    expect((await spansWith(latin.view, ALL, undefined)).length).toBe(1);
    expect((await spansWith(latin.view, ALL, '1')).length).toBe(1);
  });
});
