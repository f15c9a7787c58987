import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  differing,
  type Entry,
  entryOf,
  type Fields,
  faultOf,
  isMomentText,
  KINDS,
  type Kind,
  kindOf,
  patchTo,
  rebased,
  type Value,
  valueIn,
  valuesIn,
  valuesOf,
} from '../../../admin/browser/data/edit.ts';
import { 'idn-email' as isAddress } from '../../../lib/http/request/formats.ts';

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

  const entry = (kind: Kind, text: string): Entry => ({ property: 'attributes.x', kind, text, items: [] });

  test.each<[Kind, string, unknown]>([
    ['number', ' 12 ', 12],
    ['number', '1.5', 1.5],
    ['number', '0.10000000000000001', 0.1],
    ['number', '-2e3', -2000],
    ['text', '12', '12'],
    ['text', 'true', 'true'],
    ['yes / no', 'true', true],
    ['yes / no', 'false', false],
    ['date', '2027-01-31', '2027-01-31'],
    ['list', ' red,blue, red,', ['red', 'blue']],
    ['list', '', undefined],
    ['text', '', undefined],
  ])('has for the %s "%s" the value %j', (kind, text, value) => {
    expect(valueIn(entry(kind, text))).toEqual(value);
    expect(faultOf(entry(kind, text), [])).toBeUndefined();
  });

  test.each<[Kind, string, string]>([
    ['number', 'five', '“five” is no number. Write digits, such as 5'],
    ['number', '0x10', '“0x10” is no number. Write digits, such as 5'],
    ['number', '1,5', '“1,5” is no number. Write digits, such as 5'],
    ['number', '9007199254740993', '“9007199254740993” would be rounded'],
    ['number', '1e999', '“1e999” would be rounded'],
    ['date', '2027-02-31', '“2027-02-31” is no date. Write it like 2027-01-31'],
    ['date', 'tomorrow', '“tomorrow” is no date. Write it like 2027-01-31'],
    ['yes / no', 'maybe', 'Choose yes or no'],
  ])('has for the %s "%s" a fault, and no value of another kind', (kind, text, fault) => {
    expect(valueIn(entry(kind, text))).toBeUndefined();
    expect(faultOf(entry(kind, text), [])).toBe(fault);
  });

  test('never is of another kind than the one that was chosen', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.oneof(fc.string(), fc.double().map(String)), (kind, text) => {
        const value = valueIn(entry(kind, text));
        if (value !== undefined) expect([kind, ...(kind === 'text' ? ['date'] : [])]).toContain(kindOf(value));
      }),
    );
  });

  test('names what is wrong with a field or with the name of an attribute', () => {
    const of = (property: string, text: string): Entry => ({ property, kind: 'text', text, items: [] });
    const fault = (property: string, text: string, others: Entry[] = []) => faultOf(of(property, text), others);
    expect(fault('name', ' ')).toBe('Name is required');
    expect(fault('email', 'nobody')).toBe('Email must be valid');
    expect(faultOf({ ...of('age', '-1'), kind: 'number' }, [])).toBe('Age must be positive');
    expect(faultOf({ ...of('age', 'old'), kind: 'number' }, [])).toBe('“old” is no number. Write digits, such as 5');
    expect(fault('attributes.', 'x')).toBe('A name is missing');
    expect(fault('attributes.a b', 'x')).toBe('“a b” is no name: letters, digits, - and _');
    expect(fault('attributes.team', 'x', [of('attributes.team', 'y')])).toBe('There are two called team');
  });

  test('is what was shown, as long as nobody has touched it', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.array(fc.string()),
    );
    fc.assert(
      fc.property(value, (some) => {
        const start = new Map<string, Value>([['attributes.x', some]]);
        // A form knows more of each entry.
        const row = { ...entryOf('attributes.x', some), key: 1 };
        expect(valuesIn([row], start)).toEqual(start);
      }),
    );
  });
});

test('a moment is a text that has a day and a time', () => {
  expect(['2026-09-12T10:22:00Z', '2026-09-12T10:22:00+02:00', '2026-09-12T10:22'].map(isMomentText)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['2026-09-12', '2026-13-12T10:22:00Z', 'on 2026-09-12T10:22:00Z', ''].map(isMomentText)).toEqual([
    false,
    false,
    false,
    false,
  ]);
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

test('an e-mail is refused only where the service refuses it, too, and where its form is wrong', () => {
  const faultIn = (text: string) => {
    const entry = { ...entryOf('email', undefined), text };
    return faultOf(entry, [entry]) !== undefined;
  };
  const right = [
    'a@b',
    'ann@example.org',
    '"ann lee"@example.org',
    'ann+x@[192.0.2.1]',
    'zoë@bücher.example',
    "o'hara@x-y.example",
  ];
  const wrong = [
    'ann',
    'ann@',
    '@example.org',
    'ann lee@example.org',
    'ann@@example.org',
    'ann@example..org',
    '.ann@example.org',
  ];
  expect([...right, ...wrong].map(isAddress)).toEqual([...right, ...wrong].map((text) => right.includes(text)));
  expect([...right, ...wrong].map(faultIn)).toEqual([...right, ...wrong].map((text) => wrong.includes(text)));
});
