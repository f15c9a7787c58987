import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  differing,
  type Fields,
  KINDS,
  kindOf,
  patchTo,
  rebased,
  textOf,
  type Value,
  valueIn,
  valuesOf,
} from '../../../admin/browser/edit.ts';

const PROPERTIES = ['name', 'age', 'status', 'attributes.team', 'attributes.constructor'];

const fields: fc.Arbitrary<Fields> = fc
  .dictionary(fc.constantFrom(...PROPERTIES), fc.constantFrom<Value[]>('a', 'b', 7, ['a', 'b']))
  .map((values) => new Map(Object.entries(values)));

const ann = valuesOf({ ...{ name: 'Ann', age: 30, country: 'DE' }, attributes: { team: 'red', seats: 3 } });

describe('what the form sends', () => {
  test('has only what differs, and null for what was emptied', () => {
    const after = valuesOf({ ...{ age: 31, status: 'new' }, attributes: { seats: 3, constructor: true } });
    expect(patchTo(after, ann)).toEqual({
      ...{ name: null, age: 31, country: null, status: 'new' },
      attributes: { team: null, constructor: true },
    });
  });

  test('has for a new user the fields that have a value', () => {
    expect(bodyOf(ann)).toEqual({ name: 'Ann', age: 30, country: 'DE', attributes: { team: 'red', seats: 3 } });
    expect(bodyOf([])).toEqual({});
  });

  test.each([
    ['number', ' 12 ', 12],
    ['number', '1.5', 1.5],
    ['number', ' ', ' '],
    ['number', 'twelve', 'twelve'],
    ['text', '12', '12'],
    ['true or false', 'true', true],
    ['true or false', 'no', 'no'],
    ['list (a, b)', ' red,blue, red,', ['red', 'blue']],
    ['list (a, b)', '', undefined],
  ])('has for the %s "%s" the value %j, so that the service can judge it', (kind, text, value) => {
    expect(valueIn(kind, text)).toEqual(value);
  });

  test('is what was shown, as far as its kind and its text say it', () => {
    const value = fc.oneof(fc.string({ minLength: 1 }), fc.maxSafeInteger(), fc.boolean(), fc.constant(['a', 'b c']));
    fc.assert(
      fc.property(value, (some) => {
        expect(KINDS).toContain(kindOf(some));
        expect(valueIn(kindOf(some), textOf(some))).toEqual(some);
      }),
    );
  });
});

test('who saves a user that somebody else has changed sees what they changed, and keeps what was entered', () => {
  fc.assert(
    fc.property(fields, fields, fields, (base, mine, theirs) => {
      const [now, changed] = [rebased(base, mine, theirs), differing(base, mine)];
      for (const property of PROPERTIES)
        expect(now.get(property)).toEqual((changed.includes(property) ? mine : theirs).get(property));
    }),
  );
});
