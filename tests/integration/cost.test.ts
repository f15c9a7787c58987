import { beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../bench/people.ts';
import { countRounds } from '../../bench/rounds.ts';
import { type Meter, metered } from '../../lib/metering.ts';
import { keepChanges } from '../../lib/users/changes/keep.ts';
import type { SortProperty } from '../../lib/users/fields.ts';
import type { Filters } from '../../lib/users/filters.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { readItems } from '../../lib/users/journal/items.ts';
import type { UserBatch } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { loadUsers } from '../../tools/local/loadUsers.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { AT_ONCE } from '../support/fake/steps.ts';
import { HISTORY_DAYS, serviceOn, type TestService } from '../support/service.ts';

/** DynamoDB charges by rules, so these are facts and not timings. */
const LARGE = 2_000;

/** How many of the first users are written, and not loaded. */
const WRITTEN = 250;

/** How many users may be written in some seconds. */
const RECENT = 20;

/** Other users than the large number that lists are asked for. */
let others: TestService;
let large: TestService;
let rounds: ReturnType<typeof countRounds>;

/** A clock that moves when it is read, for ids and so for units that are the same in each run. No time passes for readers. */
function clockOf(seed: number) {
  // Ahead of every real clock: a store may remove what has expired.
  let time = Date.UTC(2050, 0);
  return { now: () => time++, monotonic: () => 0, random: chanceOf(seed) };
}

const createPeople = ({ users }: TestService, count: number, source = people(2)) =>
  users.createMany(Array.from({ length: count }, () => source.next().value));

beforeAll(async () => {
  others = await serviceOn.embedded({ clock: clockOf(2) });
  large = await serviceOn.embedded({ clock: clockOf(1) });
  rounds = countRounds(large.dynamo);
  // Most users are loaded in bulk, and the others are written and folded, so that both kinds of nodes are measured.
  const source = people(1);
  await loadUsers(large, source, { users: LARGE - WRITTEN });
  await createPeople(large, WRITTEN, source);
  expect(await large.fold()).toMatchObject({ left: 0 });
  // A container that lists for the first time reads the journal once more.
  await cost(large, {});
});

/** What is asked for. A sort is a text like `age,desc lastName,asc`. */
interface Asked extends Filters {
  keyword?: string;
  sort?: string;
  page?: number;
}

/** The cost of a page of 20. */
function cost({ listing }: TestService, { keyword, sort = '', page = 0, ...filters }: Asked): Promise<Meter> {
  const keys = sort.split(' ').flatMap((key) => {
    const [property, direction] = key.split(',') as [SortProperty | '', 'asc' | 'desc'];
    return property === '' ? [] : [{ property, direction }];
  });
  return metered(async (meter) => {
    await listing.page({ filters, keyword, order: totalOrder(keys), number: page, size: 20 });
    return meter;
  });
}

/** Expects that each of these costs at most so many read units, and calls one after another, and names those that cost more. */
async function expectAtMost(most: number, asked: readonly Asked[], mostRounds = 12): Promise<void> {
  const expensive: object[] = [];
  for (const each of asked) {
    rounds.begin();
    const { readUnits, plan } = await cost(large, each);
    const taken = rounds.end();
    expect(taken).toBeGreaterThan(0);
    if (readUnits > most || taken > mostRounds) expensive.push({ ...each, readUnits, plan, rounds: taken });
  }
  expect(expensive).toEqual([]);
}

/** Each of some questions with each combination of these values. */
const each = (values: { [Name in keyof Asked]: readonly Asked[Name][] }, questions: readonly Asked[] = [{}]): Asked[] =>
  Object.entries(values).reduce<Asked[]>(
    (all, [name, some]) => all.flatMap((asked) => some.map((value) => ({ ...asked, [name]: value }))),
    [...questions],
  );

const bothWays = (...properties: string[]) => properties.flatMap((property) => [`${property},asc`, `${property},desc`]);

const IN_ONE_LIST = bothWays('id', 'name', 'createdAt', 'email', 'age', 'firstName', 'lastName');

const IN_A_LIST = [...IN_ONE_LIST, ...bothWays('status', 'country')];

const FILTERS: Asked[] = [
  { status: 'active' },
  { status: 'pending' },
  { status: 'none' },
  { country: 'US' },
  { country: 'LI' },
  { status: 'pending', country: 'US' },
  { status: 'none', country: 'none' },
  { email: 'nobody@example.com' },
];

const STATUSES = ['active', 'pending', 'suspended'];

const IN_TWO_ORDERS = [
  'age,desc lastName,asc',
  'lastName,asc age,asc',
  'country,asc age,desc',
  'firstName,desc name,asc',
];

const RANGES: Asked[] = [
  ...each({ 'age.gte': [30], 'age.lt': [50], sort: bothWays('age') }),
  ...each({ 'lastName.startsWith': ['m'], sort: bothWays('lastName') }),
  ...each({ 'email.startsWith': ['a'], sort: bothWays('email') }),
  ...each({ 'createdAt.gte': [Date.UTC(2020, 6)], sort: bothWays('id', 'createdAt') }),
];

const MIDDLE: Asked[] = [
  ...each({ sort: IN_A_LIST, page: [40] }),
  ...each({ sort: IN_A_LIST, country: ['US'], page: [3, 8] }),
  ...each({ sort: bothWays('id', 'createdAt') }, [
    { status: 'active', page: 20 },
    { status: 'active', country: 'US', page: 5 },
  ]),
];

const ONE_VALUE: Asked[] = [{ firstName: 'james' }, { lastName: 'SMITH' }, { name: 'nobody' }, { age: 30 }];

const MISSING: Asked[] = [
  ...each({ 'age.missing': [true], sort: ['age,asc'] }),
  ...each({ 'lastName.missing': [true, false], sort: ['lastName,desc'] }),
  ...each({ 'status.missing': [true], sort: ['status,asc', 'id,asc'] }),
];

type Row = [most: number, what: string, asked: Asked[], rounds?: number];

describe.each([
  ['when all is folded', 0, 0],
  [`when the last ${RECENT} writes are not folded yet`, RECENT, 0.5],
] as const)('read units, %s,', (_, written, recent) => {
  beforeAll(async () => {
    await createPeople(large, written);
  });

  const firstAndLast = [0, (LARGE + written) / 20 - 1];

  test.each<Row>([
    [2 + recent, 'the first and the last page of one list', each({ sort: IN_ONE_LIST, page: firstAndLast }), 3],
    [6.5 + recent, 'a page in the middle of a list', MIDDLE, 5],
    [
      5,
      'the first and the last page by status or country',
      each({ sort: bothWays('status', 'country'), page: firstAndLast }),
    ],
    [3.5, 'the first page with a filter in default order', FILTERS, 3],
    [3, 'the first page of a country by status', each({ country: ['US', 'GR', 'RW', 'LI'], sort: bothWays('status') })],
    [
      3 + recent,
      'the first page of a usual country, and of the one with the most users, in any order but status',
      each({ country: ['GR', 'US'], sort: IN_ONE_LIST }),
      3,
    ],
    [
      12,
      'the first page of a status in any order but status',
      each({ status: STATUSES, sort: [...IN_ONE_LIST, ...bothWays('country')] }),
    ],
    [12 + recent, 'any page by two properties', each({ sort: IN_TWO_ORDERS, page: [0, 30] }), 6],
    [8 + recent, 'the first page of a range in its own order', RANGES],
    [7 + recent, 'the first page of a range in a country, in its own order', each({ country: ['US'] }, RANGES)],
    [9 + recent, 'any page of a range in its own order', each({ page: [4] }, RANGES)],
    [
      25,
      'any page of a range of some hundred users in another order',
      each({ 'age.gte': [30], 'age.lt': [50], sort: bothWays('name', 'email'), page: [0, 5] }),
    ],
    [
      20,
      'the first page of a range of most users in another order',
      each({ 'age.gte': [20], sort: bothWays('name', 'id') }),
    ],
    [
      20,
      'any page of two ranges, and of a range and a status, in the order of one',
      each({ 'age.gte': [30], 'age.lt': [50], page: [0, 3] }, [
        { 'createdAt.gte': Date.UTC(2020, 6), sort: 'age,desc' },
        { status: 'active', sort: 'age' },
      ]),
      6,
    ],
    [3 + recent, 'the first page of a name, an age or a part of a name by id', ONE_VALUE],
    [25 + recent, 'the same in another order', each({ sort: ['email,asc', 'country,desc'] }, ONE_VALUE)],
    [5 + recent, 'the first page of who lacks a field, in its order', MISSING],
    [6 + recent, 'any page of the same', each({ page: [1, 2] }, MISSING)],
    [3 + recent, 'the first page of three statuses by id', each({ status: [STATUSES], sort: bothWays('id') })],
    [
      9,
      'any page of three statuses by id, and the first page of them in another order',
      each({ status: [STATUSES] }, [
        ...each({ sort: bothWays('id'), page: [40] }),
        ...each({ sort: bothWays('name', 'status', 'country') }),
      ]),
    ],
    [
      13,
      'a keyword of few users by last name',
      [
        { keyword: 'ski', sort: 'lastName,asc' },
        { keyword: 'mann', sort: 'lastName,desc' },
        { keyword: 'ski', sort: 'lastName,desc', status: 'active', country: 'PL' },
      ],
    ],
    [26, 'a keyword of some users by email', [{ keyword: 'son', sort: 'email,desc' }]],
    [4, 'a keyword of nobody', [{ keyword: 'zzz', sort: 'age,asc' }]],
    [16, 'a letter of most users by last name', [{ keyword: 'a', sort: 'lastName,asc' }]],
    [45, 'a letter of most users by email', [{ keyword: 'e', sort: 'email,desc' }]],
    [75, 'two letters of many users by email', [{ keyword: 'an', sort: 'email,desc' }]],
  ])('are at most %d for %s', (most, _, asked, mostRounds) =>
    // A journal costs each question the same.
    expectAtMost(most, written === 0 ? asked : asked.filter((_, i) => i % 3 === 0), mostRounds),
  );

  test.each([{}, { status: 'active' }, { country: 'US' }, { status: 'active', country: 'US' }])(
    'of a cursor batch with the filters %j are 1.5',
    async (filters) => {
      await metered(async (meter) => {
        const batch = await large.listing.after({ filters, keyword: undefined, after: 0, size: 20 });
        expect(batch.users).toHaveLength(20);
        expect(meter.readUnits).toBe(1.5);
      });
    },
  );

  test.each([
    [2, ['status']],
    [2, ['country']],
    [4, ['status', 'country']],
  ] as const)('are at most %d for counts by %j', async (most, by) => {
    await metered(async (meter) => {
      await large.listing.counts({ filters: {}, by });
      expect(meter.readUnits).toBeLessThanOrEqual(most + recent);
    });
  });

  test('of twenty ids are one for each', async () => {
    const { users } = (await large.listing.after({ filters: {}, after: 500, size: 20 })) as UserBatch;
    const id = users.map((user) => user.id);
    await expectAtMost(21 + recent, [
      { id, sort: 'lastName,desc' },
      { id: [...id, ...id], page: 1 },
    ]);
    expect((await cost(large, { id })).readUnits).toBeGreaterThanOrEqual(20);
  });

  test('of a user, and of a list that has not changed, are 1', async () => {
    const query = { filters: {}, keyword: undefined, after: 0, size: 1 };
    const batch = (await large.listing.after(query)) as UserBatch;
    await metered(async (meter) => {
      await large.users.get(batch.users[0]?.id ?? 0);
      expect(meter.readUnits).toBe(1);
    });
    await metered(async (meter) => {
      expect(await large.listing.after(query, () => true)).toEqual({ tag: expect.any(String) });
      expect(meter).toMatchObject({ readUnits: 1, calls: 1 });
    });
  });
});

describe('read units', () => {
  test('of a first page are at most 3 more than the units of the journal while nothing is folded, in at most 6 calls', async () => {
    const service = await serviceOn.embedded({ clock: clockOf(3) });
    await createPeople(service, 200, people(1));
    const known = await metered(async (meter) => {
      await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: 1 }, () => true);
      return meter.readUnits;
    });
    expect(known).toBeGreaterThan(5);
    expect(known).toBeLessThan(10);
    for (const asked of [...each({ sort: [...IN_ONE_LIST, ...bothWays('status')] }), ...FILTERS]) {
      const { readUnits, calls, plan } = await cost(service, asked);
      const more = readUnits - known;
      expect(more <= 3 && calls <= 6, JSON.stringify({ asked, plan, more, calls })).toBe(true);
    }
  });
});

describe('write units', () => {
  const user = {
    name: 'Ann Andrews',
    email: 'ann@example.com',
    age: 30,
    firstName: 'Ann',
    lastName: 'Andrews',
    status: 'active',
    country: 'US',
  };

  const written = (write: () => Promise<unknown>) =>
    metered(async (meter) => {
      await write();
      return meter.writeUnits;
    });

  test('of a create and a delete are 18', async () => {
    let id = 0;
    expect(await written(async () => ({ id } = await large.users.create(user)))).toBe(18);
    expect(await written(() => large.users.delete(id))).toBe(18);
  });

  test('of a unique e-mail are two more, for its user at once, four when it changes, and none otherwise', async () => {
    const { users } = await serviceOn.embedded({ uniqueEmails: true });
    // The first writes that the stage is one from its beginning.
    await users.create({ name: 'First' });
    let id = 0;
    expect(await written(async () => ({ id } = await users.create(user)))).toBe(20);
    const change = (fields: object) => written(() => users.update(id, (current) => ({ ...current, ...fields })));
    const [age, email] = [await change({ age: 31 }), await change({ email: 'bea@example.com' })];
    expect(email - age).toBeGreaterThanOrEqual(4);
    expect(email).toBeLessThanOrEqual(24);
    expect(await written(() => users.delete(id))).toBe(20);
  });

  test('of an update that changes nothing are none, for one read unit', async () => {
    const { id } = await large.users.create(user);
    const { readUnits, writeUnits } = await metered(async (meter) => {
      await large.users.update(id, (current) => ({ ...current }));
      return meter;
    });
    expect([readUnits, writeUnits]).toEqual([1, 0]);
  });

  test.each([
    ['𠮷', 83],
    ['ᾂ', 69],
  ])('of a create with all fields of %s at their limits are %d', async (letter, units) => {
    const [text, label] = [letter.repeat(200), letter.repeat(64)];
    const domain = `${`${'x'.repeat(63)}.`.repeat(2)}${'x'.repeat(61)}`;
    const full = { name: text, firstName: text, lastName: text, email: `${letter.repeat(15)}@${domain}` };
    const create = () => others.users.create({ ...full, age: 2 ** 53 - 1, status: label, country: label });
    expect(await written(create)).toBe(units);
  });

  test('of folding a last name of 200 different characters are at most 300, with at most 350 read units', async () => {
    await others.fold();
    const lastName = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000)));
    await others.users.create({ name: 'Long', lastName: lastName.join('') });
    await metered(async (meter) => {
      await createFold(others, AT_ONCE).run(60_000);
      expect(meter.writeUnits).toBeGreaterThan(200);
      expect(meter.writeUnits).toBeLessThanOrEqual(300);
      expect(meter.readUnits).toBeLessThanOrEqual(350);
    });
  });

  test.each([
    [{ age: 31 }, 20],
    [{ name: 'Bea' }, 20],
    [{ lastName: 'Lee' }, 20],
    [{ status: 'other' }, 20],
    [{ country: 'DE' }, 25],
  ])('of a change to %j are %d', async (change, units) => {
    const { id } = await large.users.create(user);
    expect(await written(() => large.users.update(id, (current) => ({ ...current, ...change })))).toBe(units);
  });

  test('are from 1 to 1.3 for each of a hundred changes that are kept, and to 20 for each that is folded', async () => {
    await large.fold();
    await createPeople(large, 100);
    const { entries } = await readItems(large);
    const head = { feed: 'cost', epoch: 1, batchBefore: 0, claimedAt: large.runtime.now() };
    const kept = await written(() => keepChanges(large, head, entries, HISTORY_DAYS));
    const folded = await written(() => large.fold());
    expect(Math.min(kept, folded)).toBeGreaterThan(100);
    expect([kept <= 130, folded <= 2_000], `${kept} and ${folded}`).toEqual([true, true]);
  });
});

describe('the read units of changes', () => {
  test('are two for a poll that finds nothing, four and one per change for a page, and two for the history of a user', async () => {
    await others.fold();
    const { feed, history } = others.changes;

    /** DynamoDB Local takes less than DynamoDB for a query that finds nothing. */
    const expectUnits = (above: number, most: number, mostCalls: number, read: () => Promise<unknown>) =>
      metered(async (meter) => {
        await read();
        expect(meter.readUnits).toBeGreaterThan(above);
        expect(meter.readUnits).toBeLessThanOrEqual(most);
        expect(meter.calls).toBeLessThanOrEqual(mostCalls);
      });

    const { next } = await feed({ after: 'now', size: 1 });
    await expectUnits(0, 2, 2, () => feed({ after: next, size: 100 }));
    const [first] = await others.users.createMany(Array.from({ length: 200 }, (_, i) => ({ name: `Changed ${i}` })));
    await others.fold();
    await expectUnits(100, 104, 4, () => feed({ after: next, size: 100 }));
    await expectUnits(0, 2, 2, () => history({ id: first?.id ?? 0, before: undefined, size: 500 }));
  });
});
