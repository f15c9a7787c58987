import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { countPiece, isPiece, nameDeltas, readNames } from '../../../../lib/users/statistics/names.ts';
import { nameRow } from '../../../../lib/users/statistics/recent.ts';
import { treeOf } from '../../../../lib/users/statistics/statistics.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { serviceOn } from '../../../support/service.ts';

const person = (lastName: string, status = 'on', country = 'DE'): UserFields => ({
  name: 'Ann',
  lastName,
  status,
  country,
});

test.each([
  ['Anna', 'names:a anna\0, names:n nna\0a, names:n na\0an, names:a a\0ann', 'a a, a an, n n, n nn, n na'],
  // One character above the basic plane.
  ['𠮷a', 'names:𠮷 𠮷a\0, names:a a\0𠮷', '𠮷 𠮷, 𠮷 𠮷a, a a'],
])(
  '%s is counted under each of its suffixes, and once under each part of one or two characters',
  (name, names, pieces) => {
    const row = nameRow({ id: 1, version: 1, ...person(name) }, 1) ?? { key: '', counts: new Map() };
    const keys = nameDeltas(row).map(({ map, deltas }) => `${map.name} ${deltas[0]?.key}`);
    expect(keys.join(', ')).toBe(`${names}, ${pieces.replaceAll(/(^|, )/g, '$1pieces:')}`);
  },
);

test('a user without a last name is not counted, and a keyword of three characters has no count of its own', () => {
  expect(nameRow({ id: 1, version: 1, name: 'Ann' }, 1)).toBeUndefined();
  expect(['𠮷a', 'abc'].map(isPiece)).toEqual([true, false]);
});

describe('the names that contain a keyword', () => {
  async function filled() {
    const given = serviceOn.memory();
    const created = await given.users.createMany([
      person('Banana'),
      person('banana', 'off'),
      person('Anatol', 'on', 'FR'),
      person('Bell'),
    ]);
    await given.fold();
    const asked = (read: typeof readNames) => (keyword: string) =>
      withJournal(given.database, (journal) => read(treeOf(given.database, journal.generation), journal, keyword));
    return { ...given, created, read: asked(readNames), piece: asked(countPiece as typeof readNames) };
  }

  test('are counted once each, even if they contain it twice, by status and country', async () => {
    const names = await (await filled()).read('ana');
    expect(Object.fromEntries(names.byName({}))).toEqual({ banana: 2, anatol: 1 });
    expect(Object.fromEntries(names.byName({ country: ['FR'] }))).toEqual({ anatol: 1 });
    expect(Object.fromEntries(names.byValue('status', { country: ['DE'] }))).toEqual({ on: 1, off: 1 });
    expect(Object.fromEntries(names.byValue('country', {}))).toEqual({ DE: 2, FR: 1 });
    const wanted = [{}, { status: ['on'] }, { status: ['on', 'off'], country: ['DE'] }, { status: ['none'] }];
    expect(wanted.map((each) => names.total(each))).toEqual([3, 2, 2, 0]);
  });

  test('include the names in the journal, without users who have left, and so do the counts of a short keyword', async () => {
    const { users, created, read, piece, fold } = await filled();
    await users.createMany([person('Diana'), person('Ananas', 'new'), person('An')]);
    await users.delete(created[0]?.id ?? 0);
    await users.update(created[2]?.id ?? 0, (now) => ({ ...now, lastName: 'Bo' }));
    const expected = { banana: 1, diana: 1, ananas: 1 };
    const check = async () => {
      expect(Object.fromEntries((await read('ana')).byName({}))).toEqual(expected);
      for (const [keyword, total] of Object.entries({ a: 4, an: 4, na: 3, be: 1, ll: 1, b: 3, x: 0 })) {
        const [names, counts] = [await read(keyword), await piece(keyword)];
        expect([keyword, names.total({}), counts.total({})]).toEqual([keyword, total, total]);
        expect(counts.byValue('status', {})).toEqual(names.byValue('status', {}));
      }
    };
    await check();
    await fold();
    await check();
  });
});
