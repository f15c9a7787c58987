import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { countPiece, isPiece, nameDeltas, readNames } from '../../../../lib/users/statistics/names.ts';
import { nameRow } from '../../../../lib/users/statistics/recent.ts';
import { treeOf } from '../../../../lib/users/statistics/statistics.ts';
import type { Row } from '../../../../lib/users/tree/rows.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { serviceOn } from '../../../support/service.ts';

const person = (lastName: string, status = 'on', country = 'DE'): UserFields => ({
  name: 'Ann',
  lastName,
  status,
  country,
});

const keysOf = (fields: UserFields) =>
  nameDeltas(nameRow({ id: 1, version: 1, ...fields }, 1) as Row).map(
    ({ map, deltas }) => `${map.name} ${deltas[0]?.key}`,
  );

async function filled(folded: UserFields[], recent: UserFields[] = []) {
  const given = serviceOn.memory();
  const created = await given.users.createMany(folded);
  await given.fold();
  created.push(...(await given.users.createMany(recent)));
  const read = (keyword: string) =>
    withJournal(given.database, (journal) => readNames(treeOf(given.database, journal.generation), journal, keyword));
  const piece = (keyword: string) =>
    withJournal(given.database, (journal) => countPiece(treeOf(given.database, journal.generation), journal, keyword));
  return { ...given, created, read, piece };
}

test('a last name is counted under each of its suffixes, and once under each of its parts of one or two characters', () => {
  expect(keysOf(person('Anna'))).toEqual([
    'names:a anna\0',
    'names:n nna\0a',
    'names:n na\0an',
    'names:a a\0ann',
    'pieces:a a',
    'pieces:a an',
    'pieces:n n',
    'pieces:n nn',
    'pieces:n na',
  ]);
});

test('a character above the basic plane is one character of a name', () => {
  expect(keysOf(person('𠮷a'))).toEqual([
    'names:𠮷 𠮷a\0',
    'names:a a\0𠮷',
    'pieces:𠮷 𠮷',
    'pieces:𠮷 𠮷a',
    'pieces:a a',
  ]);
  expect(nameRow({ id: 1, version: 1, name: 'Ann' }, 1)).toBeUndefined();
  expect([isPiece('𠮷a'), isPiece('abc')]).toEqual([true, false]);
});

describe('the names that contain a keyword', () => {
  const FOLDED = [person('Banana'), person('banana', 'off'), person('Anatol', 'on', 'FR'), person('Bell')];

  test('are counted once each, even if they contain it twice', async () => {
    const { read } = await filled(FOLDED);
    const names = await read('ana');
    expect(Object.fromEntries(names.byName({}))).toEqual({ banana: 2, anatol: 1 });
    expect(names.total({})).toBe(3);
  });

  test('are counted by status and country', async () => {
    const { read } = await filled(FOLDED);
    const names = await read('ana');
    expect(names.total({ status: ['on'] })).toBe(2);
    expect(names.total({ status: ['on', 'off'], country: ['DE'] })).toBe(2);
    expect(names.total({ status: ['none'] })).toBe(0);
    expect(Object.fromEntries(names.byName({ country: ['FR'] }))).toEqual({ anatol: 1 });
    expect(Object.fromEntries(names.byValue('status', { country: ['DE'] }))).toEqual({ on: 1, off: 1 });
    expect(Object.fromEntries(names.byValue('country', {}))).toEqual({ DE: 2, FR: 1 });
  });

  test('include the names in the journal, without users who have left', async () => {
    const { users, created, read, fold } = await filled(FOLDED, [person('Diana'), person('Ananas')]);
    await users.delete(created[0]?.id ?? 0);
    await users.update(created[2]?.id ?? 0, (now) => ({ ...now, lastName: 'Bo' }));
    const expected = { banana: 1, diana: 1, ananas: 1 };
    expect(Object.fromEntries((await read('ana')).byName({}))).toEqual(expected);
    await fold();
    expect(Object.fromEntries((await read('ana')).byName({}))).toEqual(expected);
  });
});

describe('a short keyword', () => {
  test('has the same counts as the names that contain it, which are not read', async () => {
    const { read, piece } = await filled(
      [person('Banana'), person('Anatol', 'off'), person('Bell')],
      [person('An', 'new')],
    );
    for (const keyword of ['a', 'an', 'na', 'be', 'll', 'x']) {
      const [names, counts] = [await read(keyword), await piece(keyword)];
      expect({ keyword, total: counts.total({}) }).toEqual({ keyword, total: names.total({}) });
      expect(counts.byValue('status', {})).toEqual(names.byValue('status', {}));
    }
    expect((await piece('an')).total({})).toBe(3);
  });

  test('of one character is not confused with the pairs that begin with it', async () => {
    const { piece } = await filled([person('ab'), person('ac')]);
    expect([(await piece('a')).total({}), (await piece('ab')).total({})]).toEqual([2, 1]);
  });
});
