import { describe, expect, test } from 'vitest';
import { bucketsFor, countIn, isCountedIn, rowOfUsers } from '../../../../lib/users/counts/segments.ts';
import { hash48 } from '../../../../lib/users/hash.ts';
import { NO_VALUE } from '../../../../lib/users/keys.ts';
import type { List } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import type { User } from '../../../../lib/users/user.ts';
import { listBy } from '../../../support/listBy.ts';

const NAMES = listBy('name');

const ann = (more: Partial<User> = {}): User => ({ id: 42, version: 3, name: 'Ann', ...more });
const countsOfOne = (list: List, user: User, buckets = bucketsFor(SIZES, [user])) =>
  rowOfUsers(list, undefined, [user], buckets).counts;
const bucketsOf = (list: List, user: User) => [...countsOfOne(list, user).keys()];

describe('the counts of a user in a segment', () => {
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

describe('buckets of values', () => {
  const withStatus = (value: string, count = 1) => Array.from({ length: count }, () => ann({ status: value }));
  const many = Array.from({ length: 30 }, (_, i) => withStatus(`v${i}`, 30 - i)).flat();
  const buckets = bucketsFor(SIZES, [...many, ann()]);

  test('are those of the 24 values that most users have', () => {
    expect(buckets).toEqual(Array.from({ length: 24 }, (_, i) => hash48(`s=v${i}`)));
  });

  test('stay, and others come while there is room', () => {
    expect(bucketsFor(SIZES, withStatus('new', 9), buckets)).toEqual(buckets);
    const some = bucketsFor(SIZES, [...withStatus('a'), ...withStatus('b', 2)], [5]);
    expect(some).toEqual([5, hash48('s=b'), hash48('s=a')]);
  });

  test('of a user whose value has none are the one of all other values, with the same checksum', () => {
    const [known, unknown] = [[hash48('s=on')], []].map((some) => countsOfOne(NAMES, ann({ status: 'on' }), some));
    expect([...(unknown?.keys() ?? [])]).toEqual(['n', 'h', 's+']);
    expect(unknown?.get('h')).toBe(known?.get('h'));
  });

  test('say exactly how many users of a segment have some values, or say nothing', () => {
    const { counts } = rowOfUsers(NAMES, undefined, [...many, ann(), ann()], buckets);
    const count = (status: string[]) => countIn({ users: 467, counts, buckets }, { status });
    expect(['v0', 'v23'].map((value) => count([value]))).toEqual([30, 7]);
    expect(count(['v0', 'v1', NO_VALUE])).toBe(61);
    expect([['v24'], ['v0', 'unknown']].map(count)).toEqual([undefined, undefined]);
    expect(countIn({ users: 467, counts, buckets }, {})).toBe(467);
    // Of no user a value without a bucket: then none has it.
    const none = rowOfUsers(NAMES, undefined, [ann({ status: 'v0' })], buckets);
    const segment = { users: 1, counts: none.counts, buckets };
    expect(['v1', 'v24', NO_VALUE].map((value) => countIn(segment, { status: [value] }))).toEqual([0, 0, 0]);
  });
});
