import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFields, restoreFields, storeFields, toUser, userItem, writeFields } from '../../../lib/users/userItem.ts';
import { userFields } from '../../support/arbitraries.ts';

const ANN = {
  ...{ id: 42, version: 3, name: 'Ann', email: 'ann@example.com', age: 0, firstName: 'A' },
  ...{ lastName: '', status: 'active', country: 'DE' },
};

describe('the item of a user', () => {
  test('has the fields under one attribute, by their short names', () => {
    expect(userItem(ANN)).toMatchObject({
      id: 42,
      v: 3,
      f: { n: 'Ann', e: 'ann@example.com', a: 0, f: 'A', l: '', s: 'active', c: 'DE' },
    });
    expect(userItem({ id: 42, version: 1, name: 'Ann' }).f).toEqual({ n: 'Ann' });
  });

  test('gives any user again, even from an index, which lacks the keys of other indexes', () => {
    fc.assert(
      fc.property(userFields, fc.maxSafeNat(), fc.maxSafeNat(), (fields, id, version) => {
        const { v, f } = userItem({ ...fields, id, version });
        expect(toUser({ id, v, f, k: 'user' })).toStrictEqual({ id, version, ...fields });
      }),
    );
  });
});

describe('stored fields', () => {
  test('are ignored if no field has their name, even if it is the long name of a field', () => {
    const stored = { n: 'Ann', z: 1, name: 'Bob', id: 7, version: 9, toString: 'x' };
    expect(restoreFields(stored)).toStrictEqual({ name: 'Ann' });
    expect(toUser({ id: 42, v: 1, f: stored })).toStrictEqual({ id: 42, version: 1, name: 'Ann' });
  });

  test('are written as one text, in which texts are unchanged', () => {
    const stored = { ...storeFields(ANN), z: true, s: null };
    expect(writeFields(stored)).toBe('nAnn\0eann@example.com\0a\u00010\0fA\0l\0s\u0001null\0cDE\0z\u0001true\0');
    expect(readFields(writeFields(stored))).toStrictEqual(stored);
    expect(readFields(writeFields({}))).toStrictEqual({});
  });

  test('that are null have no value', () => {
    expect(restoreFields({ n: 'Ann', a: null, l: '', s: null })).toStrictEqual({ name: 'Ann', lastName: '' });
  });
});
