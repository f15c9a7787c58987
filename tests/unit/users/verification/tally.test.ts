import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countRow } from '../../../../lib/users/statistics/counts.ts';
import { lastNameRows } from '../../../../lib/users/statistics/lastNames.ts';
import { fold } from '../../../../lib/users/text.ts';
import type { CountedUser } from '../../../../lib/users/user.ts';
import { createTally, isStatistic } from '../../../../lib/users/verification/tally.ts';
import { userFields } from '../../../support/arbitraries.ts';

const user = (id: number, fields: Partial<CountedUser> = {}): CountedUser => ({
  id,
  version: 1,
  shard: 0,
  name: 'Ann',
  ...fields,
});

function tallyOf(...users: CountedUser[]) {
  const tally = createTally();
  for (const one of users) tally.add(one);
  return tally;
}

const inCell = (shard: number) => ({ pk: 'count', sk: `active\0DE\0${shard}` });

const active = { status: 'active', country: 'DE' };

describe('a tally', () => {
  test('tells the count and the zones of each shard of a status and country', () => {
    const tally = tallyOf(
      user(1, { ...active, age: 34 }),
      user(2, { ...active, name: 'Юлия' }),
      user(3, { ...active, shard: 9 }),
      user(4),
    );
    expect(tally.expected(inCell(0))).toEqual(
      new Map<string, unknown>([
        ['n', 2],
        ['name', new Set([1, 5])],
        ['email', new Set([64])],
        ['age', new Set([3, 64])],
        ['firstName', new Set([64])],
        ['lastName', new Set([64])],
      ]),
    );
    expect(tally.expected(inCell(9))?.get('n')).toBe(1);
    expect(tally.expected({ pk: 'count', sk: '\u{10FFFF}\u0002\0\u{10FFFF}\u0002\x000' })?.get('n')).toBe(1);
    expect([tally.ids(inCell(0)), tally.ids(inCell(9)), tally.rows()]).toEqual([[1, 2], [3], 3]);
  });

  test('tells the users of a last name, under each status and country, of each of its rows', () => {
    const tally = tallyOf(user(1, { ...active, lastName: 'Øst' }), user(2, { lastName: 'ØST' }), user(3));
    const content = new Map([
      ['n', 2],
      ['active\0DE', 1],
      ['\u{10FFFF}\u0002\0\u{10FFFF}\u0002', 1],
    ]);
    expect(tally.expected({ pk: 'suffix:ø', sk: 'øst\0øst' })).toEqual(content);
    expect(tally.expected({ pk: 'suffix:s', sk: 'st\0øst' })).toEqual(content);
    expect(tally.expected({ pk: 'suffix:t', sk: 't\0øst' })).toEqual(content);
    expect(tally.ids({ pk: 'suffix:t', sk: 't\0øst' })).toEqual([1, 2]);
  });

  test('keeps a name of more than 45 characters whole', () => {
    const lastName = 'X'.repeat(46);
    const tally = tallyOf(user(1, { lastName }));
    expect(tally.expected({ pk: 'long', sk: 'x'.repeat(46) })?.get('n')).toBe(1);
    expect(tally.expected({ pk: 'suffix:x', sk: `x\0${'x'.repeat(46)}` })).toBeUndefined();
  });

  test.each([
    ['of nobody', { pk: 'count', sk: 'locked\0DE\x000' }],
    ['of a name that nobody has', { pk: 'suffix:t', sk: 't\0west' }],
    ['of what is no suffix of the name', { pk: 'suffix:ø', sk: 'ø\0øst' }],
    ['in another partition', { pk: 'suffix:x', sk: 't\0øst' }],
    ['without a name', { pk: 'suffix:t', sk: 't' }],
    ['of a short name among the long ones', { pk: 'long', sk: 'øst' }],
    ['of no cell', { pk: 'count', sk: 'active' }],
  ])('knows nothing of a row %s', (_, row) => {
    const tally = tallyOf(user(1, { ...active, lastName: 'Øst' }), user(2, { lastName: '' }));
    expect([tally.expected(row), tally.ids(row)]).toEqual([undefined, []]);
  });

  test('names the rows of users of whom a row was not met', () => {
    const tally = tallyOf(user(1, { ...active, lastName: 'Li' }), user(2, { ...active, lastName: 'B', shard: 3 }));
    tally.meet(inCell(3));
    tally.meet({ pk: 'suffix:b', sk: 'b\0b' });
    tally.meet({ pk: 'suffix:l', sk: 'li\0li' });
    tally.meet({ pk: 'suffix:x', sk: 'x\0li' });
    expect(tally.unmet()).toEqual([inCell(0), { pk: 'suffix:l', sk: 'li\0li' }, { pk: 'suffix:i', sk: 'i\0li' }]);
  });

  test('has another signature of a row when its users or their versions are others', () => {
    const signatures = [
      tallyOf(),
      tallyOf(user(1, active)),
      tallyOf(user(2, active)),
      tallyOf(user(1, { ...active, version: 2 })),
      tallyOf(user(1, active), user(2, active)),
    ].map((tally) => tally.signature(inCell(0)));
    expect(new Set(signatures).size).toBe(5);
    expect(tallyOf(user(1, active), user(2)).signature(inCell(0))).toBe(signatures[1]);
  });

  test('expects the rows that a write of the same user touches', () => {
    fc.assert(
      fc.property(userFields, (fields) => {
        const one = { ...fields, id: 1, version: 1, shard: 7 };
        const rows = [countRow(one, 7), ...lastNameRows(one)];
        expect(tallyOf(one).unmet()).toEqual(rows);
        expect(rows.every((row) => tallyOf(one).expected(row)?.get('n') === 1)).toBe(true);
        expect(fold(fold(fields.lastName ?? ''))).toBe(fold(fields.lastName ?? ''));
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['count', true],
  ['long', true],
  ['suffix:x', true],
  ['idempotency', false],
  ['suffix', false],
  ['other', false],
])('a row of the partition %s is one of the statistics: %s', (pk, is) => {
  expect(isStatistic({ pk, sk: 'x\0x' })).toBe(is);
});
