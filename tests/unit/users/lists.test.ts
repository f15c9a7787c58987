import { describe, expect, test } from 'vitest';
import { findIndex, type UsersIndex } from '../../../lib/users/indexes.ts';
import { keyBeside, keyIn, listOf } from '../../../lib/users/lists.ts';
import type { User } from '../../../lib/users/user.ts';

const listBy = (order: UsersIndex['order']) => {
  const index = findIndex([], order);
  if (!index) throw new Error(`There is no index by ${order}`);
  return listOf(index, {});
};

const ann: User = { id: 42, version: 3, name: 'Ann' };

describe('the key beside that of a user', () => {
  test.each([
    ['id', 1, '0000000000000043'],
    ['id', -1, '0000000000000041'],
    ['name', 1, 'ann\u00000000000000000043'],
    ['name', -1, 'ann\u00000000000000000041'],
    ['lastName', 1, '\u{10FFFF}\u0002\u00000000000000000043'],
  ] as const)('by %s, %d, is %j', (order, step, key) => {
    expect(keyBeside(listBy(order), ann, step)).toBe(key);
  });

  test('is the key of the next user of a run', () => {
    expect(keyBeside(listBy('name'), ann, 1)).toBe(keyIn(listBy('name'), { ...ann, id: 43 }));
    expect(keyBeside(listBy('id'), { ...ann, id: 43 }, -1)).toBe(keyIn(listBy('id'), ann));
  });
});
