import { describe, expect, test } from 'vitest';
import { countIn, isCountedIn, mapOf, rowOfUsers, sumOf, toSegment } from '../../../../lib/users/counts/segments.ts';
import type { List } from '../../../../lib/users/lists.ts';
import { addDeltas, type Row } from '../../../../lib/users/tree/rows.ts';
import type { User } from '../../../../lib/users/user.ts';
import { plain, rowsFrom } from '../../../support/fake/tree.ts';
import { listBy } from '../../../support/listBy.ts';

const NAMES = listBy('name');

const ann = (more: Partial<User> = {}): User => ({ id: 42, version: 3, name: 'Ann', ...more });
const countsOfOne = (list: List, user: User) => rowOfUsers(list, undefined, [user]).counts;
const bucketsOf = (list: List, user: User) => [...countsOfOne(list, user).keys()];

describe('the counts of a user in a segment', () => {
  test.each([
    [{ lastName: 'SMITH' }, ['n', 'h', 'in latin']],
    [{ lastName: 'Иванов-Smith', status: 'on' }, ['n', 'h', 's=on', 'in cyrillic', 'in latin']],
    [{ lastName: '12', status: 'On' }, ['n', 'h', 's=On']],
    [{}, ['n', 'h']],
  ])('with %j are %j in the order of names', (more, buckets) => {
    expect(bucketsOf(NAMES, ann(more))).toEqual(buckets);
  });

  test('have no scripts in an order that is not by text, and no value that the order tells', () => {
    const user = ann({ lastName: 'Smith', status: 'on', country: 'DE' });
    expect(bucketsOf(listBy('id'), user)).toEqual(['n', 'h', 's=on']);
    expect(bucketsOf(listBy('age'), user)).toEqual(['n', 'h', 's=on']);
    expect(bucketsOf(listBy('status'), user)).toEqual(['n', 'h']);
    expect(isCountedIn(NAMES.index, 'status')).toBe(true);
    // Each country has its own list in every order.
    expect(isCountedIn(NAMES.index, 'country')).toBe(false);
  });

  test('are ones and a checksum, which is stored and must never change', () => {
    expect(Object.fromEntries(countsOfOne(NAMES, ann({ lastName: 'Smith' })))).toEqual({
      n: 1,
      h: 147908766539664,
      'in latin': 1,
    });
    expect(Object.fromEntries(countsOfOne(NAMES, ann()))).toEqual({ n: 1, h: 224489678573134 });
  });

  test('have a checksum that depends on the key, the values and the scripts, but not on the version', () => {
    const checksum = (user: User) => countsOfOne(NAMES, user).get('h');
    const smith = checksum(ann({ lastName: 'Smith' }));
    expect(checksum(ann({ lastName: 'Иванов' }))).not.toBe(smith);
    expect(checksum(ann({ lastName: 'Smith', status: 'on' }))).not.toBe(smith);
    expect(checksum({ ...ann({ lastName: 'Smith' }), id: 43 })).not.toBe(smith);
    expect(checksum({ ...ann({ lastName: 'Lee' }), version: 4 })).toBe(smith);
  });
});

const map = mapOf('segments', NAMES.index);
const status = (value: string, n = 1) => ({ key: 'ann\0', bucket: `s=${value}`, n });
const countsOf = (rows: readonly Row[]) => plain(rows)[0]?.[1] ?? {};

/** A row that lists as many values as it may: `v0` with 100 users, `v1` with 99, and so on. */
const full = () =>
  addDeltas(
    rowsFrom(['\0', {}]),
    Array.from({ length: 24 }, (_, i) => status(`v${i}`, 100 - i)),
    map.ranges,
  );

describe('a row with many values of a field', () => {
  test('lists 24 of them, and adds up the users of the rarest', () => {
    const rows = addDeltas(full(), [status('rare', 2), status('rarer', 1)], map.ranges);
    const { 's+': others, ...listed } = countsOf(rows);
    expect([others, Object.keys(listed).length, listed['s=v23']]).toEqual([3, 24, 77]);
    expect(Object.keys(listed)).not.toContain('s=rare');
  });

  test('says how many users have a value, at least and at most', () => {
    const [row] = addDeltas(full(), [status('rare', 2), { key: 'ann\0', bucket: 'n', n: 2_200 }], map.ranges);
    const segment = toSegment(NAMES, row ?? { key: '', counts: new Map() });
    expect(segment.users).toBe(2_200);
    expect(countIn(segment, { status: ['v0'] })).toEqual([100, 100]);
    expect(countIn(segment, { status: ['v0', 'v1'] })).toEqual([199, 199]);
    expect(countIn(segment, { status: ['rare'] })).toEqual([0, 2]);
    expect(countIn(segment, { status: ['v0', 'rare', 'unknown'] })).toEqual([100, 102]);
    expect(countIn(segment, {})).toEqual([2_200, 2_200]);
  });
});

describe('the sum of rows', () => {
  test('has the key of the first row, and the sums of all numbers', () => {
    const sum = sumOf(
      'a',
      rowsFrom(['a', { n: 2, h: 2 ** 48 - 1, 's=on': 2 }], ['b', { n: 3, h: 2, 's=on': 1, 's=off': 2 }]),
    );
    expect(plain([sum])).toEqual([['a', { n: 5, h: 1, 's=on': 3, 's=off': 2 }]]);
  });

  test('lists a value only if each row that hides values lists it', () => {
    const rows = rowsFrom(['a', { n: 9, 's=on': 4, 's=off': 2, 's+': 3 }], ['b', { n: 4, 's=on': 1, 's=new': 3 }]);
    expect(plain([sumOf('a', rows)])).toEqual([['a', { n: 13, 's=on': 5, 's=off': 2, 's+': 6 }]]);
  });
});
