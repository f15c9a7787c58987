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
} from '../../../admin/browser/edit.ts';

const entered: fc.Arbitrary<Entered> = fc
  .tuple(...FIELD_NAMES.map(() => fc.constantFrom('', 'a', 'b', '7')))
  .map((values) => Object.fromEntries(FIELD_NAMES.map((field, index) => [field, values[index]])) as Entered);

const before = enteredOf({ id: 1, name: 'Ann', age: 30, country: 'DE', createdAt: '2026-01-01T00:00:00.000Z' });

describe('what the form sends', () => {
  test('has only the fields that differ, null for an emptied one, and an empty name, so that the service asks for one', () => {
    const after = { ...before, name: '', age: '31', country: '', status: 'new' };
    expect(patchOf(after, differing(before, after))).toEqual({ name: '', age: 31, country: null, status: 'new' });
  });

  test.each([
    [' 12 ', 12],
    ['-1', -1],
    ['1.5', '1.5'],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', '9007199254740993'],
  ])('has for the age "%s" the value %j, so that the service can judge it', (text, sent) => {
    expect(patchOf({ ...before, age: text }, ['age'])).toEqual({ age: sent });
  });

  test('has for a new user the fields that are not empty, and the name', () => {
    expect(fieldsOf(before)).toEqual({ name: 'Ann', age: 30, country: 'DE' });
    expect(fieldsOf(enteredOf({}))).toEqual({ name: '' });
  });

  test('restores a deleted user as it was', () => {
    const user = { name: 'Ann', age: Number.MAX_SAFE_INTEGER, lastName: '', country: 'DE' };
    expect(fieldsOfUser({ ...user, id: 7, createdAt: '2026-01-01T00:00:00.000Z' })).toEqual(user);
  });
});

test('a conflict is about what was changed here and differs there, and keeps what only the other side has changed', () => {
  fc.assert(
    fc.property(entered, entered, entered, (base, mine, theirs) => {
      const conflict = conflictOf(base, mine, theirs);
      const isChangedHere = (field: keyof Entered) => mine[field] !== base[field];
      expect(conflict.fields).toEqual(
        FIELD_NAMES.filter((field) => isChangedHere(field) && mine[field] !== theirs[field]),
      );
      for (const field of FIELD_NAMES) expect(conflict.mine[field]).toBe((isChangedHere(field) ? mine : theirs)[field]);
    }),
  );
});
