import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  conflictOf,
  differing,
  type Entered,
  enteredOf,
  FIELD_NAMES,
  fieldsOf,
  fieldsOfUser,
  patchOf,
} from '../../../lib/admin/browser/edit.ts';

const entered: fc.Arbitrary<Entered> = fc
  .tuple(...FIELD_NAMES.map(() => fc.constantFrom('', 'a', 'b', '7')))
  .map((values) => Object.fromEntries(FIELD_NAMES.map((field, index) => [field, values[index]])) as Entered);

const before = enteredOf({ id: 1, name: 'Ann', age: 30, country: 'DE', createdAt: '2026-01-01T00:00:00.000Z' });

describe('what the form sends', () => {
  test('has only the fields that differ, and null for an emptied one', () => {
    const after = { ...before, age: '31', country: '', status: 'new' };
    expect(patchOf(after, differing(before, after))).toEqual({ age: 31, country: null, status: 'new' });
  });

  test.each([
    ['', null],
    [' 12 ', 12],
    ['-1', -1],
    ['1.5', '1.5'],
    ['ten', 'ten'],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', '9007199254740993'],
  ])('has for the age "%s" the value %j, so that the service can judge it', (text, sent) => {
    expect(patchOf({ ...before, age: text }, ['age'])).toEqual({ age: sent });
  });

  test('has an empty name, so that the service asks for one', () => {
    expect(patchOf({ ...before, name: '' }, ['name'])).toEqual({ name: '' });
    expect(fieldsOf(enteredOf({}))).toEqual({ name: '' });
  });

  test('restores a deleted user as it was', () => {
    const user = { name: 'Ann', age: Number.MAX_SAFE_INTEGER, lastName: '', country: 'DE' };
    expect(fieldsOfUser({ ...user, id: 7, createdAt: '2026-01-01T00:00:00.000Z' })).toEqual(user);
  });

  test('leaves empty fields out of a new user', () => {
    expect(fieldsOf(before)).toEqual({ name: 'Ann', age: 30, country: 'DE' });
  });
});

describe('a conflict', () => {
  test('is about the fields that were changed here and differ there', () => {
    const mine = { ...before, age: '31', country: 'FR', status: 'new' };
    const theirs = { ...before, age: '31', country: 'IT', lastName: 'Lee' };
    const { fields, mine: merged } = conflictOf(before, mine, theirs);
    expect(fields).toEqual(['status', 'country']);
    // Only the other side has changed this one, so it is not undone.
    expect(merged.lastName).toBe('Lee');
  });

  test('loses no change: if all own values are chosen, the other side keeps the fields that only it has changed', () => {
    fc.assert(
      fc.property(entered, entered, entered, (base, mine, theirs) => {
        const conflict = conflictOf(base, mine, theirs);
        const result = {
          ...theirs,
          ...Object.fromEntries(conflict.fields.map((field) => [field, conflict.mine[field]])),
        };
        for (const field of FIELD_NAMES) {
          expect(result[field]).toBe(mine[field] === base[field] ? theirs[field] : mine[field]);
        }
      }),
    );
  });
});
