import { describe, expect, test } from 'vitest';
import { isCountedIn, mapOf, rowOfUsers } from '../../../../lib/users/counts/segments.ts';
import type { List } from '../../../../lib/users/lists.ts';
import { addDeltas } from '../../../../lib/users/tree/rows.ts';
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

test('a row lists 24 values of a field, and adds up the users of the rarest', () => {
  const status = (value: string, n: number) => ({ key: 'ann\0', bucket: `s=${value}`, n });
  const { ranges } = mapOf('segments', NAMES.index);
  // As many as it may: `v0` with 100 users, `v1` with 99, and so on.
  const values = Array.from({ length: 24 }, (_, i) => status(`v${i}`, 100 - i));
  const full = addDeltas(rowsFrom(['\0', {}]), values, ranges);
  const [row] = plain(addDeltas(full, [status('rare', 2), status('rarer', 1)], ranges));
  const { 's+': others, ...listed } = row?.[1] ?? {};
  expect([others, Object.keys(listed).length, listed['s=v23'], listed['s=rare']]).toEqual([3, 24, 77, undefined]);
});
