import { describe, expect, test } from 'vitest';
import { hash48 } from '../../../../lib/users/hash.ts';
import {
  addDeltas,
  addTo,
  cut,
  floorOf,
  isBound,
  isLeftOver,
  positionOf,
  queryable,
  type Ranges,
  type Row,
  trim,
} from '../../../../lib/users/tree/rows.ts';
import { LISTS, one, rowsFrom, text } from '../../../support/fake/tree.ts';

describe('changes that are added by key', () => {
  const rows = rowsFrom(['a', { n: 2 }], ['c', { n: 1 }]);

  test('change numbers, make rows, and drop rows that count nothing', () => {
    expect(text(addDeltas(rows, [one('a'), one('b', 3), one('c', -1)]))).toBe('a n3, b n3');
  });

  test('leave rows in the order of code points', () => {
    expect(addDeltas([], [one('😀'), one('\uFFFD'), one('a'), one('')]).map(({ key }) => key)).toEqual([
      '',
      'a',
      '\uFFFD',
      '😀',
    ]);
  });

  test('cancel out, even within one row', () => {
    const changed = addDeltas(rows, [one('a', 1, 'x'), one('a', -1, 'x'), one('a', -2), one('a', 5, 'y')]);
    expect(text(changed)).toBe('a y5, c n1');
  });

  test('leave the given rows unchanged', () => {
    addDeltas(rows, [one('a', 7), one('c', -1)]);
    expect(text(rows)).toBe('a n2, c n1');
  });

  test('wrap at 2^48, as checksums do', () => {
    const counts = new Map([['h', 2 ** 48 - 1]]);
    addTo(counts, 'h', 3);
    addTo(counts, 'h', -4);
    expect(counts.get('h')).toBe(2 ** 48 - 2);
  });
});

describe('changes that are added by range', () => {
  const add = (rows: Row[], ...deltas: ReturnType<typeof one>[]) => text(addDeltas(rows, deltas, LISTS));

  test('count in the last row that begins at or before their key', () => {
    const rows = rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }]);
    expect(add(rows, one('x/a'), one('x/m'), one('x/z'))).toBe('x/ n2, x/m n3');
  });

  test('make the first row of each list, and never count in the row of another list', () => {
    expect(add(rowsFrom(['x/', { n: 1 }]), one('y/a'), one('w/a'), one('y/b'))).toBe('w/ n1, x/ n1, y/ n2');
  });

  test('keep a row that counts nobody any more: it still ends the row before it', () => {
    expect(add(rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }]), one('x/n', -1))).toBe('x/ n1, x/m');
  });

  test('add users who come before they subtract users who leave', () => {
    const seen: number[] = [];
    const noting: Ranges = {
      ...LISTS,
      add: (counts, bucket, n) => {
        seen.push(n);
        LISTS.add(counts, bucket, n);
      },
    };
    addDeltas(rowsFrom(['x/', { n: 1 }]), [one('x/a', -1), one('x/b', 1), one('x/c', -1), one('x/d', 2)], noting);
    expect(seen).toEqual([1, 2, -1, -1]);
  });

  test('leave rows without changes as they are', () => {
    const rows = rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }]);
    const changed = addDeltas(rows, [one('x/n')], LISTS);
    expect(changed[0]).toBe(rows[0]);
    expect(changed[1]).not.toBe(rows[1]);
    expect(text(rows)).toBe('x/ n1, x/m n1');
  });

  test('let each changed row settle its numbers once', () => {
    const settled: unknown[] = [];
    const noting: Ranges = { ...LISTS, settle: (counts) => void settled.push(Object.fromEntries(counts)) };
    addDeltas(rowsFrom(['x/', { n: 1 }], ['y/', { n: 1 }]), [one('x/a'), one('x/b')], noting);
    expect(settled).toEqual([{ n: 3 }]);
  });
});

describe('the position of a number', () => {
  test('is its key and eight digits: four of the first part of its bucket, and four of the whole bucket', () => {
    const digits = (text: string) => hash48(text).toString(16).padStart(12, '0').slice(0, 4);
    expect(positionOf('ann', 'active\0DE')).toBe(`ann\0${digits('active')}${digits('active\0DE')}`);
    expect(positionOf('ann', 'n')).toBe(`ann\0${digits('n')}${digits('n')}`);
  });

  test('is above its key, and below every longer key', () => {
    const position = positionOf('ann', 'n');
    expect(['ann', position, 'ann\u0001', 'anna'].toSorted()).toEqual(['ann', position, 'ann\u0001', 'anna']);
  });
});

test('the floor of a key is the last row that is not above it', () => {
  const rows = rowsFrom(['b', {}], ['d', {}], ['\uFFFD', {}]);
  const floor = (key: string) => floorOf(rows.length, (place) => rows[place]?.key, key);
  expect(['a', 'b', 'c', 'd', 'e', '\uFFFD', '😀'].map(floor)).toEqual([0, 1, 1, 2, 2, 3, 3]);
});

describe('rows that are trimmed', () => {
  const buckets = ['n', 'a', 'b', 'c'].toSorted((a, b) => (positionOf('k', a) < positionOf('k', b) ? -1 : 1));
  const row = { key: 'k', counts: new Map(buckets.map((bucket) => [bucket, 1])) };
  const rows = [...rowsFrom(['a', { n: 1 }]), row, ...rowsFrom(['z', { n: 1 }])];

  test('are all rows without an end', () => {
    expect(trim(rows, undefined)).toEqual(rows);
  });

  test('have neither the row at the end nor any row above it', () => {
    expect(trim(rows, 'k').map(({ key }) => key)).toEqual(['a']);
    expect(trim(rows, 'zz').map(({ key }) => key)).toEqual(['a', 'k', 'z']);
  });

  test('have the numbers of a row before a position within it, and drop a row without numbers', () => {
    const at = (place: number) => positionOf('k', buckets[place] ?? '');
    expect([...(trim(rows, at(2))[1]?.counts.keys() ?? [])]).toEqual(buckets.slice(0, 2));
    expect(trim(rows, at(0)).map(({ key }) => key)).toEqual(['a']);
  });

  test('are whole where they stand for ranges, even if the end begins like the last key and its separator', () => {
    const ranges = rowsFrom(['DE\0', { n: 2, s: 1 }], ['DE\0\x000000', { n: 1 }]);
    expect(trim(ranges, 'DE\0\x000000', LISTS)).toEqual(ranges.slice(0, 1));
  });
});

describe('a cut', () => {
  const size = (rows: readonly Row[]) => rows.reduce((sum, { counts }) => sum + counts.size, 0);
  const upTo = (most: number) => (rows: Row[]) => size(rows) <= most;

  test('halves rows until each part is small enough, and the first part keeps the bound', () => {
    const rows = rowsFrom(['a', { n: 1 }], ['b', { n: 1 }], ['c', { n: 1 }], ['d', { n: 1 }], ['e', { n: 1 }]);
    const parts = cut('\0', rows, upTo(2));
    expect(parts.map(({ from, rows: own }) => [from, own.map(({ key }) => key).join('')])).toEqual([
      ['\0', 'ab'],
      ['c', 'c'],
      ['d', 'de'],
    ]);
  });

  test('leaves what is small as it is', () => {
    const rows = rowsFrom(['a', { n: 1 }], ['b', { n: 1 }]);
    expect(cut('a', rows, upTo(2))).toEqual([{ from: 'a', rows }]);
  });

  test('goes through a row of many numbers, at the position of a number', () => {
    const row = addDeltas(
      [],
      Array.from({ length: 40 }, (_, i) => one('k', 1, `s${i}`)),
    );
    const parts = cut('\0', row, upTo(16));
    expect(parts.length).toBeGreaterThan(1);
    for (const [i, { from, rows }] of parts.entries()) {
      const [{ key, counts } = { key: '', counts: new Map<string, number>() }, ...others] = rows;
      const [first = ''] = counts.keys();
      expect([key, others]).toEqual(['k', []]);
      expect(from).toBe(i === 0 ? '\0' : positionOf('k', first));
    }
    const all = parts.flatMap(({ rows }) => rows.flatMap(({ counts }) => [...counts.keys()]));
    expect(all.toSorted()).toEqual([...(row[0]?.counts.keys() ?? [])].toSorted());
    // A reader who trims the whole row gets the same part.
    const [second] = parts.slice(1);
    expect(trim(row, second?.from)).toEqual(parts[0]?.rows);
  });

  test('leaves the numbers of a row of ranges together, whatever their number', () => {
    const rows = rowsFrom(
      ['x/', Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`s${i}`, 1]))],
      ['x/m', { n: 1 }],
    );
    expect(cut('\0', rows, upTo(1), LISTS).map(({ from }) => from)).toEqual(['\0', 'x/m']);
  });

  test('a text that is cut for a query is above every bound that the whole text is above', () => {
    const whole = `${'x/'.padEnd(1_021, 'm')}😀`;
    expect(queryable(whole)).toBe(whole.slice(0, 1_021));
    expect([whole.slice(0, 1_020), `${whole.slice(0, 1_021)}a`].map(isBound)).toEqual([true, false]);
  });

  test('begins no part at a key that is too long for a sort key of DynamoDB', () => {
    const longest = 'x/'.padEnd(1_020, 'm');
    // Two bytes for its last letter.
    const tooLong = `${'x/'.padEnd(1_019, 'n')}é`;
    const rows = rowsFrom(['x/', { n: 1 }], [longest, { n: 1 }], [tooLong, { n: 1 }], ['x/o', { n: 1 }]);
    expect(cut('\0', rows, upTo(1), LISTS).map(({ from, rows: own }) => [from, own.length])).toEqual([
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
