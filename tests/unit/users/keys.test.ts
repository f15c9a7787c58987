import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as formats from '../../../lib/http/request/formats.ts';
import {
  decodeOptional,
  encodeOptional,
  filtersOf,
  indexKeys,
  orderKey,
  partitionOf,
  prefixEnd,
  sortText,
} from '../../../lib/users/keys.ts';
import { compareCodePoints } from '../../../lib/users/text.ts';
import type { User } from '../../../lib/users/user.ts';

const user = (fields: Partial<User>): User => ({ id: 42, version: 1, name: 'Ann', ...fields });

describe('order keys', () => {
  test.each(['a', '😀', '\u{1D160}', '\uFB2C', 'İ', '\u0390', '\u1F82'])(
    'fit into 1,024 bytes for any accepted text of %j',
    (unit) => {
      const longest = Array.from({ length: 200 }, (_, i) => unit.repeat(200 - i)).find(formats.text) ?? '';
      expect(longest).not.toBe('');
      expect(Buffer.byteLength(orderKey(sortText(user({ name: longest }), 'name'), 42))).toBeLessThanOrEqual(1_024);
    },
  );
});

describe('encoded values', () => {
  test.each([
    [undefined, '\u{10FFFF}\u0002'],
    ['', ''],
    ['active', 'active'],
    ['\u{10FFFF}', '\u{10FFFF}\u0001'],
    ['\u{10FFFF}\u{10FFFF}x', '\u{10FFFF}\u0001\u{10FFFF}x'],
    ['x\u{10FFFF}', 'x\u{10FFFF}'],
  ])('of %j are %j, and decode to it', (value, text) => {
    expect(encodeOptional(value)).toBe(text);
    expect(decodeOptional(text)).toBe(value);
  });
});

describe('index keys', () => {
  test('are the partitions and the order keys of a user', () => {
    const ann = user({ email: 'A@b.de', age: 5, lastName: 'Lee', status: 'On', country: 'DE' });
    expect(indexKeys(ann)).toMatchObject({
      k: 'user',
      cPart: 'DE',
      nKey: 'ann\u00000000000000000042',
      eKey: 'a@b.de\u00000000000000000042',
      aKey: '0000000000000005\u00000000000000000042',
      fKey: '\u{10FFFF}\u0002\u00000000000000000042',
      lKey: 'lee\u00000000000000000042',
      sKey: 'on\0On\u00000000000000000042',
      cKey: 'de\0DE\u00000000000000000042',
    });
  });

  test('of a user without values have the text for "no value"', () => {
    expect(indexKeys(user({}))).toMatchObject({
      cPart: '\u{10FFFF}\u0002',
      cKey: '\u{10FFFF}\u0002\0\u{10FFFF}\u0002\u00000000000000000042',
      aKey: '\u{10FFFF}\u0002\u00000000000000000042',
    });
  });

  test('put a user into the partition of a filter by its values', () => {
    const values = filtersOf({ status: 'On' });
    expect(values).toMatchObject({ status: 'On', country: '\u{10FFFF}\u0002' });
    expect(partitionOf(['status', 'country'], values)).toBe('On\0\u{10FFFF}\u0002');
    expect(partitionOf([], values)).toBe('user');
  });
});

test('the end of all texts with a prefix is the lowest text above all of them', () => {
  const unit = fc.constantFrom('\0', 'a', 'b', '\uD7FF', '\uE000', '\uFFFF', '\u{10000}', '\u{10FFFE}', '\u{10FFFF}');
  const text = fc.string({ unit, maxLength: 4 });
  fc.assert(
    fc.property(text, fc.oneof(text, fc.constant('')), text, (prefix, rest, other) => {
      const end = prefixEnd(prefix);
      if (end === undefined) return /^\u{10FFFF}*$/u.test(prefix);
      const isAfter = compareCodePoints(other, prefix) > 0 && !other.startsWith(prefix);
      return compareCodePoints(prefix + rest, end) < 0 && (!isAfter || compareCodePoints(other, end) >= 0);
    }),
    { numRuns: 2_000 },
  );
});
