import { expect, test } from 'vitest';
import { baseOf } from '../../../../lib/columns/changed/replica.ts';
import { countsOf, open, pack, replicaFrom, withChanges } from '../../../../lib/columns/index.ts';

const kinds = { more: 'members' } as const;
const by = [{ field: 'more.tags' }];

/** How many rows have each value, one of an array once: by the values as JSON. */
const countsIn = (replica: ReturnType<typeof replicaFrom>): Record<string, number> =>
  Object.fromEntries(
    countsOf(replica, {}, by, 99).counts.map(({ values: [value], count }) => [JSON.stringify(value ?? null), count]),
  );

const row = (id: number, tags?: string | number | boolean | string[]) => ({
  id,
  ...(tags !== undefined && { more: { tags } }),
});

const base = replicaFrom(kinds, [
  row(1, ['red', 'blue', 'red']),
  row(2, ['blue', 'green']),
  row(3, 'red'),
  row(4, 5),
  row(5, true),
  row(6, []),
  row(7),
  row(8, ['red', 'blue', 'red']),
]);
const COUNTS = { '"blue"': 3, '"red"': 3, null: 2, '"green"': 1, '5': 1, true: 1 };

test('counts by the texts of arrays count each once in a row, beside texts, other values and none', () => {
  expect(countsIn(base)).toEqual(COUNTS);
  expect(countsIn(base)).toEqual(COUNTS);
});

test('changed rows bring names of their own, and share those of the base', () => {
  const next = withChanges(base, [
    [1, row(1, ['blue', 'white', 'white'])],
    [3, undefined],
    [7, row(7, 'white')],
    [9, row(9, ['green', 'red'])],
    [10, row(10)],
  ]);
  expect(countsIn(next)).toEqual({ '"blue"': 3, '"red"': 2, '"green"': 2, '"white"': 2, null: 2, '5': 1, true: 1 });
  expect(countsIn(base)).toEqual(COUNTS);
});

test('arrays of which each has texts of its own are counted as those that share them', () => {
  const names = 17_000;
  const many = replicaFrom(
    kinds,
    Array.from({ length: names }, (_, i) => row(i + 1, [`own ${i}`, 'all'])),
  );
  const { counts, others } = countsOf(many, {}, by, 2);
  expect(counts).toEqual([
    { values: ['all'], count: names },
    { values: ['own 0'], count: 1 },
  ]);
  expect(others).toBe(names - 1);
});

test('what a column keeps of its arrays is counted, and forgotten with the rest', () => {
  const { bytes, checksum } = pack(base);
  const opened = open(kinds, [bytes], checksum);
  const column = baseOf(opened).column('more.tags');
  const before = column.bytes;
  expect(countsIn(opened)).toEqual(COUNTS);
  // Five names, of which each takes 120 bytes and more.
  expect(column.bytes - before).toBeGreaterThan(5 * 120);
  column.forget();
  expect(column.bytes).toBe(before);
  expect(countsIn(opened)).toEqual(COUNTS);
});
