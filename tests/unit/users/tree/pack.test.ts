import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack, unpack } from '../../../../lib/users/tree/pack.ts';
import { plain, rowsFrom } from '../../../support/fake/tree.ts';

describe('packed rows', () => {
  test.each([
    ['none', []],
    ['a row without numbers', [['x/', {}]]],
    [
      'keys and buckets with separators and quotes, and empty ones',
      [
        ['', { '': 1 }],
        ['a\0"\\\n', { 'on\0DE': 2, '\u0003': 3 }],
      ],
    ],
    [
      'keys above the basic plane, and the last code point',
      [
        ['😀', { n: 1 }],
        ['\u{10FFFF}\u0002\0', { '\u{10FFFF}\u0002': 1 }],
      ],
    ],
    ['buckets that look like numbers', [['a', { '10': 1, '9': 2 }]]],
    ['numbers up to 2^48', [['a', { h: 2 ** 48 - 1, n: 1 }]]],
  ] as const)('are unpacked unchanged: %s', (_, rows) => {
    const given = rowsFrom(...rows);
    expect(plain(unpack(pack(given)))).toEqual(plain(given));
  });

  test('are unpacked unchanged, whatever texts users have', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
    const counts = fc.dictionary(text, fc.nat());
    fc.assert(
      fc.property(fc.array(fc.tuple(text, counts), { maxLength: 30 }), (rows) => {
        const given = rowsFrom(...rows);
        expect(plain(unpack(pack(given)))).toEqual(plain(given));
      }),
    );
  });

  test('keep the order of numbers, in which nodes are cut', () => {
    const counts = new Map([
      ['b', 1],
      ['a', 2],
      ['c', 3],
    ]);
    expect([...(unpack(pack([{ key: 'k', counts }]))[0]?.counts.keys() ?? [])]).toEqual(['b', 'a', 'c']);
  });

  test('store equal beginnings of keys once', () => {
    const rows = (prefix: string) =>
      rowsFrom(...Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, { n: 1 }] as const));
    const more = pack(rows('a name of forty characters, as some are..')).length - pack(rows('')).length;
    expect(more).toBeLessThan(80);
  });
});
