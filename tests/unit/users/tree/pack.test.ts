import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pack, unpack } from '../../../../lib/users/tree/pack.ts';
import { rowsFrom } from '../../../support/fake/tree.ts';

type Packed = [key: string, numbers: [bucket: string, n: number][]][];

const EXAMPLES: Packed[] = [
  [],
  [['x/', []]],
  [
    ['', [['', 1]]],
    [
      'a\0"\\\n',
      [
        ['on\0DE', 2],
        ['\u0003', 2 ** 48 - 1],
      ],
    ],
  ],
  [['\u{10FFFF}\u0002\0', [['\u{10FFFF}\u0002', 1]]]],
];

const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
const bucket = fc.oneof(text, fc.constantFrom('10', '9', 'b', 'a'));
const numbers = fc.uniqueArray(fc.tuple(bucket, fc.nat()), { selector: ([name]) => name });
const packed: fc.Arbitrary<Packed> = fc.array(fc.tuple(text, numbers), { maxLength: 30 });

test('packed rows are unpacked unchanged, with their numbers in the same order, in which nodes are cut', () => {
  const isUnchanged = fc.property(packed, (rows) => {
    const unpacked = unpack(pack(rows.map(([key, counts]) => ({ key, counts: new Map(counts) }))));
    expect(unpacked.map(({ key, counts }) => [key, [...counts]])).toEqual(rows);
  });
  fc.assert(isUnchanged, { examples: EXAMPLES.map((rows) => [rows]) });
});

test('packed rows have equal beginnings of keys once', () => {
  const rows = (prefix: string) =>
    rowsFrom(...Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, { n: 1 }] as const));
  const more = pack(rows('a name of forty characters, as some are..')).length - pack(rows('')).length;
  expect(more).toBeLessThan(80);
});
