import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differing,
  type Entered,
  enteredOf,
  FIELD_NAMES,
  fieldsOf,
  fieldsOfUser,
  patchOf,
  patchTo,
  rebased,
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

test('who saves a user that somebody else has changed sees what they changed, and keeps what was entered', () => {
  fc.assert(
    fc.property(entered, entered, entered, (base, mine, theirs) => {
      const now = rebased(base, mine, theirs);
      for (const field of FIELD_NAMES)
        expect(now[field]).toBe(mine[field] === base[field] ? theirs[field] : mine[field]);
    }),
  );
});

test('what makes a user what it was has only the fields that differ', () => {
  const user = { id: 7, name: 'Ann', age: 30, createdAt: '2026-01-01T00:00:00.000Z' };
  expect(patchTo(user, { ...user, age: 31, country: 'DE' })).toEqual({ age: 30, country: null });
});
