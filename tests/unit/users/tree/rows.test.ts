import { describe, expect, test } from 'vitest';
import { addDeltas, cut, floorOf, isLeftOver, type Row } from '../../../../lib/users/tree/rows.ts';
import { LISTS, letters, one, rowsFrom, text } from '../../../support/fake/tree.ts';

test.each([
  ['change numbers, make rows, and drop rows that count nothing', [one('a'), one('b', 3), one('c', -1)], 'a n3, b n3'],
  ['cancel out', [one('a', 1, 'x'), one('a', -1, 'x'), one('a', -2), one('a', 5, 'y')], 'a y5, c n1'],
  ['leave rows in the order of code points', letters('😀\uFFFDb'), 'a n2, b n1, c n1, \uFFFD n1, 😀 n1'],
  ['wrap at 2^48, as checksums do', [one('h', 2 ** 48 - 1), one('h', 3)], 'a n2, c n1, h n2'],
])('changes that are added by key %s', (_, deltas, expected) => {
  const rows = rowsFrom(['a', { n: 2 }], ['c', { n: 1 }]);
  expect(text(addDeltas(rows, deltas))).toBe(expected);
  expect(text(rows)).toBe('a n2, c n1');
});

describe('changes that are added by range', () => {
  const rows = rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }]);

  test.each([
    ['count in the last row that begins at or before their key', [one('x/a'), one('x/m'), one('x/z')], 'x/ n2, x/m n3'],
    ['make the first row of each list', [one('y/a'), one('w/a'), one('y/b')], 'w/ n1, x/ n1, x/m n1, y/ n2'],
    ['keep a row that counts nobody any more: it still ends the row before it', [one('x/n', -1)], 'x/ n1, x/m'],
  ])('%s', (_, deltas, expected) => {
    const changed = addDeltas(rows, deltas, LISTS);
    expect(text(changed)).toBe(expected);
    expect(text(rows)).toBe('x/ n1, x/m n1');
    // Rows without changes are the same objects.
    expect(changed.includes(rows[0] as Row)).toBe(text(changed).includes('x/ n1'));
  });
});

test('the floor of a key is the last row that is not above it', () => {
  const keys = ['b', 'd', '\uFFFD'];
  const floor = (key: string) => floorOf(keys.length, (place) => keys[place], key);
  expect(['a', 'b', 'c', 'd', 'e', '\uFFFD', '😀'].map(floor)).toEqual([0, 1, 1, 2, 2, 3, 3]);
});

describe('a cut', () => {
  const size = (rows: readonly Row[]) => rows.reduce((sum, { counts }) => sum + counts.size, 0);
  const upTo = (most: number) => (rows: Row[]) => size(rows) <= most;

  test('halves rows until each part is small enough, and the first part keeps the bound', () => {
    const parts = (most: number) =>
      cut('\0', addDeltas([], letters('abcde')), upTo(most)).map(({ from, rows }) => `${from} ${text(rows)}`);
    expect(parts(2)).toEqual(['\0 a n1, b n1', 'c c n1', 'd d n1, e n1']);
    expect(parts(5)).toHaveLength(1);
  });

  test('begins no part at a key that is too long for a sort key of DynamoDB', () => {
    const longest = 'x/'.padEnd(1_020, 'm');
    // Two bytes for its last letter.
    const tooLong = `${'x/'.padEnd(1_019, 'n')}é`;
    const rows = rowsFrom(['x/', { n: 1 }], [longest, { n: 1 }], [tooLong, { n: 1 }], ['x/o', { n: 1 }]);
    expect(cut('\0', rows, upTo(1)).map(({ from, rows: own }) => [from, own.length])).toEqual([
      ['\0', 1],
      [longest, 2],
      ['x/o', 1],
    ]);
  });
});

test.each([
  ['the only one of its list', 'x/', {}, undefined, true],
  ['followed by another list', 'x/', {}, 'y/', true],
  ['followed by a row of its list', 'x/', {}, 'x/m', false],
  ['not the first of its list', 'x/m', {}, undefined, false],
  ['not empty', 'x/', { n: 1 }, undefined, false],
] as const)('a row of ranges that is %s (%s %j, before %s) is left over: %s', (_, key, counts, next, expected) => {
  const [row] = rowsFrom([key, counts]);
  expect(row && isLeftOver(row, next, LISTS)).toBe(expected);
});
