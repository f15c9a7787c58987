import { describe, expect, test } from 'vitest';
import { isUser, toUser, userItem } from '../../../lib/users/database.ts';
import { readFields, readUpdated, writeFields } from '../../../lib/users/rows.ts';

const ANN = {
  ...{ id: 42, version: 3, name: 'Ann', email: 'ann@example.com', age: 0, firstName: 'A' },
  ...{ lastName: '', status: 'active', country: 'DE' },
};

describe('the item of a user', () => {
  test('has the fields under their own names, so that other programs can read the table', () => {
    expect(userItem(ANN)).toStrictEqual({ entity: 'user', ...ANN });
    const changed = { ...ANN, updatedAt: 1_790_000_000_000 };
    expect(toUser(userItem(changed))).toStrictEqual(changed);
  });

  test('may have attributes of no field: they are ignored', () => {
    const item = { entity: 'user', id: 42, version: 1, name: 'Ann', ttl: 7, toString: 'x', age: null };
    expect(toUser(item)).toStrictEqual({ id: 42, version: 1, name: 'Ann' });
  });

  test('is no item of a life', () => {
    expect(isUser({ id: -42, version: 7, ttl: 1 })).toBe(false);
  });
});

describe('fields as one text', () => {
  test('have short names, and texts as they are', () => {
    const stored = { ...ANN, status: null };
    const { id, version, ...fields } = stored;
    expect(writeFields(stored)).toBe('nAnn\0eann@example.com\0a\u00010\0fA\0l\0s\u0001null\0cDE\0');
    expect(readFields(writeFields(stored), {})).toStrictEqual(fields);
    expect(readFields('', { id, version })).toStrictEqual({ id: 42, version: 3 });
  });

  test('without an end, or with what is no JSON, are refused', () => {
    for (const text of ['nAnn\0a\u00010', 'nAnn\0a\u0001x\0', 'Ann', 'nAnn\0{'])
      expect(() => readFields(text, {})).toThrow(SyntaxError);
  });

  test('with a moment that is no number are refused', () => {
    expect(readUpdated('nAnn\0uzz\0', 4_096)).toEqual({ updatedAt: 1_577_836_801_296 });
    expect(() => readUpdated('nAnn\0u-\0', 1)).toThrow(SyntaxError);
  });

  test('of a later version are ignored', () => {
    expect(readFields('nAnn\0z\u0001true\0', { id: 3 })).toStrictEqual({ id: 3, name: 'Ann' });
  });
});
