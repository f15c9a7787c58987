import { describe, expect, test } from 'vitest';
import { fromMergePatch } from '../../../../lib/http/request/patch.ts';
import { checkUser } from '../../../../lib/http/request/userBody.ts';

const refusal = (body: unknown): string => {
  try {
    checkUser(body);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('was accepted');
};

const BAD_LABEL = 'must be well-formed text of at most 64 characters (in Unicode NFC), without control characters';
const BAD_TEXT = 'must be well-formed text of at most 200 characters (in Unicode NFC), without control characters';

describe('a user is refused', () => {
  test.each([
    [[], 'Request body must be a JSON object'],
    [null, 'Request body must be a JSON object'],
    ['Ann', 'Request body must be a JSON object'],
    [{}, 'Name is required'],
    [{ name: null }, 'Name is required'],
    [{ name: ' \t\u00A0' }, 'Name is required'],
    [{ name: '' }, 'Name is required'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: 'x'.repeat(201) }, 'name must be at most 200 characters long'],
    [{ name: 'a\0b' }, `name ${BAD_TEXT}`],
    [{ name: 'a\uD800' }, `name ${BAD_TEXT}`],
    [{ name: '\u{1D160}'.repeat(67) }, `name ${BAD_TEXT}`],
    [{ name: 'Ann', lastName: 'a\u0085' }, `lastName ${BAD_TEXT}`],
    [{ name: 'Ann', firstName: 3 }, 'firstName must be a string'],
    [{ name: 'Ann', lastName: ['x'] }, 'lastName must be a string'],
    [{ name: 'Ann', status: '' }, 'status must not be empty'],
    [{ name: 'Ann', country: 'x'.repeat(65) }, 'country must be at most 64 characters long'],
    [{ name: 'Ann', status: '\u0001' }, `status ${BAD_LABEL}`],
    [{ name: 'Ann', country: '\u{1D160}'.repeat(22) }, `country ${BAD_LABEL}`],
    [{ name: 'Ann', age: -1 }, 'Age must be positive'],
    [{ name: 'Ann', age: 1.5 }, 'Age must be positive'],
    [{ name: 'Ann', age: '5' }, 'Age must be positive'],
    [{ name: 'Ann', age: true }, 'Age must be positive'],
    [{ name: 'Ann', age: 2 ** 53 }, 'Age must be at most 9007199254740991'],
    [{ name: 'Ann', age: Number.POSITIVE_INFINITY }, 'Age must be positive'],
    [{ name: ' ', email: 'x', age: -1 }, 'Name is required'],
    [{ name: 'Ann', age: -1, email: 'x' }, 'Email must be valid'],
    [{ status: '', age: -1, name: 'Ann' }, 'Age must be positive'],
  ])('as %j: %s', (body, message) => {
    expect(refusal(body)).toBe(message);
  });

  test.each([
    '',
    'ann',
    'ann@',
    '@example.com',
    'ann@@example.com',
    'ann@exa mple.com',
    'ann..b@example.com',
    '.ann@example.com',
    'ann@example.com\n',
    '"a\u0001b"@example.com',
    'ann@-example.com',
    'a\uD800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}`,
    42,
    {},
  ])('for the email %j', (email) => {
    expect(refusal({ name: 'Ann', email })).toBe('Email must be valid');
  });
});

describe('a user is accepted', () => {
  test.each([
    ...['ann@example.com', 'ann+tag@mail.example.co.uk', 'josé@example.com', '用户@例子.公司', 'a@localhost'],
    ...[`${'a'.repeat(64)}@b.de`, "o'neil@x.org"],
  ])('with the email %s', (email) => {
    expect(checkUser({ name: 'Ann', email })).toEqual({ name: 'Ann', email });
  });

  test.each([
    [{ name: 'x'.repeat(200) }],
    [{ name: '😀'.repeat(200) }],
    [{ name: 'Ann', status: '😀'.repeat(64), country: '\u{1D160}'.repeat(21) }],
    [{ name: 'Ann', age: 0 }],
    [{ name: 'Ann', age: 2 ** 53 - 1 }],
    [{ name: 'Ann', email: null, age: null, firstName: null, lastName: null, status: null, country: null }],
    [{ name: 'Ann', unknown: { deep: [] }, id: 'x', createdAt: 7 }],
    [{ name: 'Ann', firstName: '', lastName: '' }],
  ])('as %j', (body) => {
    expect(checkUser(body)).toEqual(body);
  });
});

describe('a merge patch (RFC 7396)', () => {
  const fields = { name: 'Ann', email: 'ann@example.com', age: 30 };
  const ann = { id: 7, version: 1, ...fields };

  test.each([
    [{}, fields],
    [{ age: 31 }, { ...fields, age: 31 }],
    [{ email: null, age: null }, { name: 'Ann' }],
    [
      { lastName: 'Lee', unknown: 1, id: 5, createdAt: 'x' },
      { ...fields, lastName: 'Lee' },
    ],
  ])('of %j makes the user %j', (patch, patched) => {
    expect(fromMergePatch(patch)(ann)).toEqual(patched);
  });

  test.each([
    [{ name: null }, 'Name is required'],
    [{ age: -5 }, 'Age must be positive'],
    [{ email: { a: 1 } }, 'Email must be valid'],
  ])('of %j is refused: %s', (patch, message) => {
    expect(() => fromMergePatch(patch)(ann)).toThrow(message);
  });
});

test('a name of a megabyte is refused in time that grows with its length, whatever it ends with', () => {
  const start = performance.now();
  for (const end of ['', '\u0001', ' ', '\u0001 ']) {
    for (const character of ['a', ' ', '\u3000']) {
      expect(() => checkUser({ name: character.repeat(2 ** 20) + end })).toThrow(/^(N|n)ame /);
    }
  }
  // A pattern that backtracks would take many minutes.
  expect(performance.now() - start).toBeLessThan(20_000);
});
