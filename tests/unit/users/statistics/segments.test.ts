import { describe, expect, test } from 'vitest';
import { USERS_INDEXES, type UsersIndex } from '../../../../lib/users/indexes.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { encodeOptional } from '../../../../lib/users/keys.ts';
import { type List, listOf } from '../../../../lib/users/lists.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import {
  countIn,
  countsOfUsers,
  isCountedIn,
  isEqual,
  mapOf,
  mostWith,
  placeOf,
  readSegments,
  rowOfUsers,
  type Segment,
  segmentChanges,
  segmentDeltas,
  sumOf,
  toSegment,
} from '../../../../lib/users/statistics/segments.ts';
import { treeOf } from '../../../../lib/users/statistics/statistics.ts';
import { addDeltas, type Row } from '../../../../lib/users/tree/rows.ts';
import type { User } from '../../../../lib/users/user.ts';
import { named } from '../../../support/fake/steps.ts';
import { plain, rowsFrom } from '../../../support/fake/tree.ts';
import { listBy } from '../../../support/listBy.ts';
import { NOTHING_WRONG } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

const NAMES = listBy('name');

const indexNamed = (name: string): UsersIndex => {
  const index = USERS_INDEXES.find((each) => each.name === name);
  if (!index) throw new Error(`There is no index ${name}`);
  return index;
};

const GERMAN_NAMES = listOf(indexNamed('byCountryAndName'), { country: 'DE' });

const ann = (more: Partial<User> = {}): User => ({ id: 42, version: 3, name: 'Ann', ...more });
const bucketsOf = (index: UsersIndex, user: User) => [...countsOfUsers(index, [user]).keys()];

const ALL = USERS_INDEXES.map(({ name }) => name);

describe('the counts of a user in a segment', () => {
  test.each([
    [{ lastName: 'SMITH' }, ['n', 'h', 'in latin']],
    [{ lastName: 'Иванов-Smith', status: 'on' }, ['n', 'h', 's=on', 'in cyrillic', 'in latin']],
    [{ lastName: '12', status: 'On' }, ['n', 'h', 's=On']],
    [{}, ['n', 'h']],
  ])('with %j are %j in the order of names', (more, buckets) => {
    expect(bucketsOf(NAMES.index, ann(more))).toEqual(buckets);
  });

  test('have no scripts in an order that is not by text, and no value that the order tells', () => {
    const user = ann({ lastName: 'Smith', status: 'on', country: 'DE' });
    expect(bucketsOf(listBy('id').index, user)).toEqual(['n', 'h', 's=on']);
    expect(bucketsOf(listBy('age').index, user)).toEqual(['n', 'h', 's=on']);
    expect(bucketsOf(listBy('status').index, user)).toEqual(['n', 'h']);
    expect(isCountedIn(NAMES.index, 'status')).toBe(true);
    // Each country has its own list in every order.
    expect(isCountedIn(NAMES.index, 'country')).toBe(false);
  });

  test('are ones and a checksum, which is stored and must never change', () => {
    expect(Object.fromEntries(countsOfUsers(NAMES.index, [ann({ lastName: 'Smith' })]))).toEqual({
      n: 1,
      h: 147908766539664,
      'in latin': 1,
    });
    expect(Object.fromEntries(countsOfUsers(NAMES.index, [ann()]))).toEqual({ n: 1, h: 224489678573134 });
  });

  test('have a checksum that depends on the key, the values and the scripts, but not on the version', () => {
    const checksum = (user: User) => countsOfUsers(NAMES.index, [user]).get('h');
    const smith = checksum(ann({ lastName: 'Smith' }));
    expect(checksum(ann({ lastName: 'Иванов' }))).not.toBe(smith);
    expect(checksum(ann({ lastName: 'Smith', status: 'on' }))).not.toBe(smith);
    expect(checksum({ ...ann({ lastName: 'Smith' }), id: 43 })).not.toBe(smith);
    expect(checksum({ ...ann({ lastName: 'Lee' }), version: 4 })).toBe(smith);
  });

  test('are in both maps of each index', () => {
    const changes = segmentChanges({ id: 42, version: 1, before: undefined, after: ann() }, ALL);
    expect(changes).toHaveLength(2 * USERS_INDEXES.length);
    expect(changes.slice(0, 2).map(({ map }) => map.name)).toEqual(['segments:byId', 'sums:byId']);
  });

  test('do not change with a field that the index does not order or count', () => {
    const before = ann({ status: 'on', age: 3 });
    const deltasIn = (after: User, name: string) =>
      segmentChanges({ id: 42, version: 4, before, after }, ALL).find(({ map }) => map.name === name)?.deltas;
    expect(deltasIn({ ...before, version: 4, age: 4 }, 'segments:byName')).toEqual([]);
    expect(deltasIn({ ...before, version: 4, age: 4 }, 'segments:byAge')).toHaveLength(6);
    expect(
      deltasIn({ ...before, version: 4, status: 'off' }, 'segments:byName')?.map(({ bucket, n }) => [bucket, n > 0]),
    ).toEqual([
      ['n', false],
      ['h', false],
      ['s=on', false],
      ['n', true],
      ['h', true],
      ['s=off', true],
    ]);
  });
});

describe('the place of a row', () => {
  test.each([
    ['\0', NAMES, undefined],
    ['ann\0', NAMES, 'ann\0'],
    ['DE\0', GERMAN_NAMES, undefined],
    ['DE\0ann\0\u0003', GERMAN_NAMES, 'ann\0\u0003'],
  ])('with the key %j is its list, and the bound in it', (key, list, from) => {
    expect(placeOf(list.index, key)).toEqual({ list, from });
  });
});

const map = mapOf('segments', NAMES.index);
const status = (value: string, n = 1) => ({ key: 'ann\0', bucket: `s=${value}`, n });
const countsOf = (rows: readonly Row[]) => plain(rows)[0]?.[1] ?? {};

/** A row that lists as many values as it may: `v0` with 100 users, `v1` with 99, and so on. */
const full = () =>
  addDeltas(
    rowsFrom(['\0', {}]),
    Array.from({ length: 24 }, (_, i) => status(`v${i}`, 100 - i)),
    map.ranges,
  );

describe('a row with many values of a field', () => {
  test('lists 24 of them, and adds up the users of the rarest', () => {
    const rows = addDeltas(full(), [status('rare', 2), status('rarer', 1)], map.ranges);
    const { 's+': others, ...listed } = countsOf(rows);
    expect([others, Object.keys(listed).length, listed['s=v23']]).toEqual([3, 24, 77]);
    expect(Object.keys(listed)).not.toContain('s=rare');
  });

  test('keeps the values with the most users, whichever came first', () => {
    const counts = countsOf(addDeltas(full(), [status('often', 500)], map.ranges));
    expect([counts['s=often'], counts['s=v23'], counts['s+']]).toEqual([500, undefined, 77]);
  });

  test('counts users with a value that is not listed among the others, when they come and when they leave', () => {
    const rows = addDeltas(full(), [status('rare', 2)], map.ranges);
    expect(countsOf(addDeltas(rows, [status('v23', -77), status('new', 1)], map.ranges))['s+']).toBe(3);
    expect(countsOf(addDeltas(rows, [status('rare', -1)], map.ranges))['s+']).toBe(1);
  });

  test('says how many users have a value, at least and at most', () => {
    const [row] = addDeltas(full(), [status('rare', 2), { key: 'ann\0', bucket: 'n', n: 2_200 }], map.ranges);
    const segment = toSegment(NAMES, row ?? { key: '', counts: new Map() });
    expect(segment.users).toBe(2_200);
    expect(countIn(segment, { status: ['v0'] })).toEqual([100, 100]);
    expect(countIn(segment, { status: ['v0', 'v1'] })).toEqual([199, 199]);
    expect(countIn(segment, { status: ['rare'] })).toEqual([0, 2]);
    expect(countIn(segment, { status: ['v0', 'rare', 'unknown'] })).toEqual([100, 102]);
    expect(countIn(segment, {})).toEqual([2_200, 2_200]);
  });

  test('tells how many have no value, be the others listed or not', () => {
    const without = encodeOptional(undefined);
    const counts = { n: 9, 's=on': 3, 's=off': 1, 's+': 2, 'in latin': 9 };
    const [row] = rowsFrom(['\0', counts]);
    const segment = toSegment(NAMES, row as Row);
    expect(countIn(segment, { status: [without] })).toEqual([3, 3]);
    expect(countIn(segment, { status: [without, 'on'] })).toEqual([6, 6]);
    expect(countIn(segment, { status: [without, 'rare'] })).toEqual([3, 5]);
  });

  test('knows that nobody has a value, if it lists all values', () => {
    const segment = toSegment(NAMES, {
      key: '\0',
      counts: new Map([
        ['n', 5],
        ['s=on', 3],
      ]),
    });
    expect(countIn(segment, { status: ['off'] })).toEqual([0, 0]);
  });
});

test('in a segment at most as many users have all scripts of a keyword as have the rarest of them', () => {
  const counts = new Map([
    ['n', 9],
    ['in latin', 5],
    ['in greek', 2],
  ]);
  const segment = toSegment(NAMES, { key: '\0', counts });
  expect([mostWith(segment, []), mostWith(segment, ['latin']), mostWith(segment, ['greek', 'latin'])]).toEqual([
    9, 5, 2,
  ]);
  expect(mostWith(segment, ['latin', 'han'])).toBe(0);
});

describe('the sum of rows', () => {
  test('has the key of the first row, and the sums of all numbers', () => {
    const sum = sumOf(
      'a',
      rowsFrom(['a', { n: 2, h: 2 ** 48 - 1, 's=on': 2 }], ['b', { n: 3, h: 2, 's=on': 1, 's=off': 2 }]),
    );
    expect(plain([sum])).toEqual([['a', { n: 5, h: 1, 's=on': 3, 's=off': 2 }]]);
  });

  test('lists a value only if each row that hides values lists it', () => {
    const rows = rowsFrom(['a', { n: 9, 's=on': 4, 's=off': 2, 's+': 3 }], ['b', { n: 4, 's=on': 1, 's=new': 3 }]);
    expect(plain([sumOf('a', rows)])).toEqual([['a', { n: 13, 's=on': 5, 's=off': 2, 's+': 6 }]]);
  });

  test('lists no more values than a row does', () => {
    const rows = Array.from({ length: 30 }, (_, i) => [`k${i}`, { [`s=v${i}`]: i + 1 }] as const);
    const counts = plain([sumOf('k0', rowsFrom(...rows))])[0]?.[1] ?? {};
    expect(Object.keys(counts)).toHaveLength(25);
    expect(counts['s+']).toBe(1 + 2 + 3 + 4 + 5 + 6);
  });

  test('is equal to another row if the users and the checksums are equal', () => {
    const [row, same, fewer, others] = rowsFrom(
      ['a', { n: 2, h: 7 }],
      ['a', { n: 2, h: 7, x: 1 }],
      ['a', { n: 1, h: 7 }],
      ['a', { n: 2, h: 8 }],
    );
    if (!row || !same || !fewer || !others) throw new Error('There are four rows');
    expect([isEqual(row, same), isEqual(row, fewer), isEqual(row, others)]).toEqual([true, false, false]);
  });
});

test('the row of some users of a list begins at a bound of the list', () => {
  const users = [ann({ country: 'DE' })];
  expect(rowOfUsers(NAMES, undefined, users).key).toBe('\0');
  expect(rowOfUsers(NAMES, 'ann\0', users).key).toBe('ann\0');
  expect(rowOfUsers(GERMAN_NAMES, undefined, users).key).toBe('DE\0');
  expect(rowOfUsers(GERMAN_NAMES, 'ann\0', users).key).toBe('DE\0ann\0');
  const [first] = segmentDeltas(GERMAN_NAMES.index, users[0] as User, 1);
  expect(first?.key).toBe('DE\0ann\u00000000000000000042');
});

test('the row of users with many statuses lists no more of them than a row does', () => {
  const users = Array.from({ length: 30 }, (_, n): User => ({ id: n + 1, version: 1, name: 'Ann', status: `s${n}` }));
  const { 's+': others, ...listed } = countsOf([rowOfUsers(NAMES, undefined, users)]);
  expect([others, Object.keys(listed).filter((bucket) => bucket.startsWith('s=')).length]).toEqual([6, 24]);
});

describe('segments that are read', () => {
  async function setUpSegments(...names: string[]) {
    const service = serviceOn.memory({ sizes: { segmentUsers: 4, sumUsers: 8 } });
    const created = await service.users.createMany(names.map((name) => ({ name, lastName: 'a', country: 'DE' })));
    await service.fold();
    const read = (list = NAMES, range: { from?: string; to?: string } = {}) =>
      withJournal(service.database, (journal) =>
        readSegments(treeOf(service.database, journal.generation), journal, 'segments', list, range),
      );
    return { ...service, created, read };
  }

  const sizes = (segments: readonly Segment[]) =>
    segments.map(({ from = '^', users }) => `${from} ${users}`).join(', ');

  test('include the users of the journal, without users who have left', async () => {
    const { users, created, read } = await setUpSegments('aa', 'bb', 'cc', 'dd', 'ee', 'ff');
    expect(sizes(await read())).toBe('^ 3, d\u0003 3');
    await users.delete(created[0]?.id ?? 0);
    await users.createMany([{ name: 'bx' }, { name: 'dx' }, { name: 'ex' }]);
    expect(sizes(await read())).toBe('^ 3, d\u0003 5');
    expect(sizes(await read(NAMES, { to: 'd\u0003' }))).toBe('^ 3');
  });

  test('of a part of a list go from the one with its first key to the one with its last, and are whole', async () => {
    const { users, database, fold } = serviceOn.memory({ sizes: { segmentUsers: 2, sumUsers: 4, nodeBytes: 60 } });
    const names = [...'abcdefghijklmnop'].map((letter) => letter.repeat(2));
    for (const name of names) {
      await users.create({ name, country: 'DE' });
      await fold();
    }
    const read = (list: List, range: { from?: string; to?: string } = {}) =>
      withJournal(database, (journal) =>
        readSegments(treeOf(database, journal.generation), journal, 'sums', list, range),
      );
    for (const list of [NAMES, GERMAN_NAMES]) {
      const all = await read(list);
      expect(all.length).toBeGreaterThan(3);
      expect(all.slice(1).map(({ from }) => from)).toEqual(all.slice(0, -1).map(({ to }) => to));
      expect([all[0]?.from, all.at(-1)?.to]).toEqual([undefined, undefined]);
      for (const [i, segment] of all.entries()) {
        const { from = '', to } = segment;
        expect(await read(list, { from: `${from}\u0001`, to: `${from}\u0002` })).toEqual([segment]);
        expect(await read(list, { from: `${from}\u0001` })).toEqual(all.slice(i));
        if (to === undefined) continue;
        expect(await read(list, { to })).toEqual(all.slice(0, i + 1));
        expect(await read(list, { from: `${from}\u0001`, to: `${to}\u0001` })).toEqual(all.slice(i, i + 2));
      }
    }
    // The journal has a user of a segment who is before the part.
    const [, { from, to, users: before } = { users: 0 }] = await read(GERMAN_NAMES);
    await users.create({ name: `${from?.[0]}a`, country: 'DE' });
    expect(await read(GERMAN_NAMES, { from: `${from?.[0]}z`, to: `${from?.[0]}zz` })).toMatchObject([
      { from, to, users: before + 1 },
    ]);
    // A list that only the journal has.
    await users.createMany(['aa', 'bb'].map((name) => ({ name, country: 'FR' })));
    const french = listOf(indexNamed('byCountryAndName'), { country: 'FR' });
    expect(sizes(await read(french, { from: 'b', to: 'c' }))).toBe('^ 2');
    expect(await read(listOf(indexNamed('byCountryAndName'), { country: 'FI' }), { from: 'b' })).toEqual([]);
  });

  test('belong to one list, which has some from its first user on', async () => {
    const { users, read, fold } = await setUpSegments('aa', 'bb', 'cc', 'dd', 'ee');
    const french = listOf(indexNamed('byCountryAndName'), { country: 'FR' });
    expect(sizes(await read(GERMAN_NAMES))).toBe('^ 3, d\u0003 2');
    expect(await read(french)).toEqual([]);
    await users.create({ name: 'gg', country: 'FR' });
    expect(sizes(await read(french))).toBe('^ 1');
    await fold();
    expect(sizes(await read(french))).toBe('^ 1');
    expect(sizes(await read(GERMAN_NAMES))).toBe('^ 3, d\u0003 2');
  });

  test('count a last name that changes its script', async () => {
    const { database, users, fold } = serviceOn.memory({ sizes: { segmentUsers: 4, sumUsers: 12, nearUsers: 1 } });
    const created = await users.createMany(named('a', 'b', 'c', 'd', 'e', 'ж'));
    await fold();
    const scripts = async () => {
      const segments = await withJournal(database, (journal) =>
        readSegments(treeOf(database, journal.generation), journal, 'segments', NAMES, {}),
      );
      return Object.fromEntries(
        ['latin', 'cyrillic', 'han'].map((script) => [
          script,
          segments.reduce((sum, each) => sum + mostWith(each, [script]), 0),
        ]),
      );
    };
    expect(await scripts()).toEqual({ latin: 5, cyrillic: 1, han: 0 });
    await users.update(created[2]?.id ?? 0, (now) => ({ ...now, lastName: '鈴木' }));
    await users.update(created[5]?.id ?? 0, (now) => ({ name: now.name }));
    expect(await scripts()).toEqual({ latin: 4, cyrillic: 0, han: 1 });
    await fold();
    expect(await scripts()).toEqual({ latin: 4, cyrillic: 0, han: 1 });
    expect(await verify(database)).toMatchObject({ users: 6, ...NOTHING_WRONG });
  });
});
