import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { countRounds } from '../../bench/rounds.ts';
import { executeStatements } from '../../lib/dynamodb/statements.ts';
import { type Meter, metered } from '../../lib/metering.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { createChanges } from '../../lib/users/changes/changes.ts';
import { keepChanges } from '../../lib/users/changes/keep.ts';
import type { SortProperty } from '../../lib/users/fields.ts';
import type { Filters } from '../../lib/users/filters.ts';
import { readItems } from '../../lib/users/journal/items.ts';
import type { UserBatch } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { HISTORY_DAYS, serviceOn, type TestService } from '../support/service.ts';

/** DynamoDB charges by rules, so these are facts and not timings. */
const SMALL = 500;
const LARGE = 2_000;

/** How many of the first users are written, and not loaded. */
const WRITTEN = 250;

/** How many users may be written in some seconds. */
const RECENT = 20;

let small: TestService;
let large: TestService;

/** Most users are loaded in bulk, and the others are written and folded, so that both kinds of nodes are measured. */
async function addUsers(service: TestService, seed: number, count: number): Promise<void> {
  const source = people(seed);
  await loadUsers(service, source, { users: count - WRITTEN });
  await service.users.createMany(Array.from({ length: WRITTEN }, () => source.next().value));
  expect(await service.fold()).toMatchObject({ left: 0 });
}

beforeAll(async () => {
  [small, large] = [await serviceOn.embedded(), await serviceOn.embedded()];
  await addUsers(small, 1, SMALL);
  await addUsers(large, 1, LARGE);
});

interface Asked extends Filters {
  keyword?: string;
  sort?: string;
  page?: number;
}

/** The cost of a page of 20. */
function cost({ listing }: TestService, { keyword, sort, page = 0, ...filters }: Asked): Promise<Meter> {
  const keys = (sort?.split(' ') ?? []).map((key) => {
    const [property, direction] = key.split(',') as [SortProperty, 'asc' | 'desc'];
    return { property, direction };
  });
  return metered(async (meter) => {
    await listing.page({ filters, keyword, order: totalOrder(keys), number: page, size: 20 });
    return meter;
  });
}

/** The listings that cost more than `most`, with their cost. */
async function tooExpensive(service: TestService, asked: readonly Asked[], most: number) {
  const expensive: object[] = [];
  for (const each of asked) {
    const { readUnits, plan } = await cost(service, each);
    if (readUnits > most) expensive.push({ ...each, readUnits, plan });
  }
  return expensive;
}

const first = (sorts: string[]) => sorts.map((sort): Asked => ({ sort }));
const last = (sorts: string[], users: number) => sorts.map((sort): Asked => ({ sort, page: users / 20 - 1 }));
const bothWays = (properties: string[]) => properties.flatMap((property) => [`${property},asc`, `${property},desc`]);

const IN_ONE_LIST = bothWays(['id', 'name', 'createdAt', 'email', 'age', 'firstName', 'lastName']);

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

/** The title has the number that is tested. */
function atMost(most: number, what: string, asked: readonly Asked[]): void {
  test(`of ${what} are at most ${most}`, async () => {
    expect(await tooExpensive(large, asked, most)).toEqual([]);
  });
}

const MORE = 0.5;
const ABOVE_JOURNAL = 3;
const CALLS = 6;
const COUNTRIES = 700;
const TIMES_GATHERED = 2.5;
const CREATE = 18;
const ALONE = 60;
const TOGETHER = 20;

describe.each([
  ['when all is folded', 0, 0],
  [`when the last ${RECENT} writes are not folded yet`, RECENT, 0.5],
] as const)('read units, %s,', (_, written, recent) => {
  const users = LARGE + written;
  const firstAndLast = (sorts: string[]) => [...first(sorts), ...last(sorts, users)];

  beforeAll(async () => {
    const source = people(2);
    await large.users.createMany(Array.from({ length: written }, () => source.next().value));
  });

  atMost(2 + recent, 'the first and the last page of one list', firstAndLast(IN_ONE_LIST));

  atMost(5, 'the first and the last page by status or country', firstAndLast(bothWays(['status', 'country'])));

  atMost(3.5, 'the first page with a filter in default order', FILTERS);

  atMost(
    4.5,
    'the first page of a country by status',
    ['US', 'GR', 'RW', 'LI'].flatMap((country) => bothWays(['status']).map((sort) => ({ country, sort }))),
  );

  atMost(
    3 + recent,
    'the first page of a country in any order but status',
    IN_ONE_LIST.map((sort) => ({ country: 'GR', sort })),
  );

  atMost(
    3 + recent,
    'the first page of the country with the most users in any order but status',
    IN_ONE_LIST.map((sort) => ({ country: 'US', sort })),
  );

  atMost(
    12,
    'the first page of a status in any order but status',
    ['active', 'pending', 'suspended'].flatMap((status) =>
      [...IN_ONE_LIST, ...bothWays(['country'])].map((sort) => ({ status, sort })),
    ),
  );

  atMost(
    15 + recent,
    'any page by two properties',
    ['age,desc lastName,asc', 'lastName,asc age,asc', 'country,asc age,desc', 'firstName,desc name,asc'].flatMap(
      (sort) => [0, 30].map((page) => ({ sort, page })),
    ),
  );

  const RANGES: Asked[] = [
    ...bothWays(['age']).map((sort) => ({ 'age.gte': 30, 'age.lt': 50, sort })),
    ...bothWays(['lastName']).map((sort) => ({ 'lastName.startsWith': 'm', sort })),
    ...bothWays(['email']).map((sort) => ({ 'email.startsWith': 'a', sort })),
    ...bothWays(['id', 'createdAt']).map((sort) => ({ 'createdAt.gte': Date.UTC(2020, 6), sort })),
  ];

  atMost(8 + recent, 'the first page of a range in its own order', RANGES);

  atMost(
    7 + recent,
    'the first page of a range in a country, in its own order',
    RANGES.map((range) => ({ ...range, country: 'US' })),
  );

  atMost(
    9 + recent,
    'any page of a range in its own order',
    RANGES.map((range) => ({ ...range, page: 4 })),
  );

  atMost(
    25,
    'any page of a range of some hundred users in another order',
    [0, 5].flatMap((page) => bothWays(['name', 'email']).map((sort) => ({ 'age.gte': 30, 'age.lt': 50, sort, page }))),
  );

  atMost(
    20,
    'the first page of a range of most users in another order',
    bothWays(['name', 'id']).map((sort) => ({ 'age.gte': 20, sort })),
  );

  atMost(
    60,
    'any page of two ranges, and of a range and a status, in the order of one',
    [0, 3].flatMap((page) => [
      { 'age.gte': 30, 'age.lt': 50, 'createdAt.gte': Date.UTC(2020, 6), sort: 'age,desc', page },
      { 'age.gte': 30, 'age.lt': 50, status: 'active', sort: 'age', page },
    ]),
  );

  atMost(
    3 + recent,
    'the first page of three statuses by id',
    bothWays(['id']).map((sort) => ({ status: ['active', 'pending', 'suspended'], sort })),
  );

  atMost(9, 'any page of three statuses by id, and the first page of them in another order', [
    ...bothWays(['id']).map((sort) => ({ status: ['active', 'pending', 'suspended'], sort, page: 40 })),
    ...bothWays(['name', 'status', 'country']).map((sort) => ({ status: ['active', 'pending', 'suspended'], sort })),
  ]);

  test.each([
    [{ keyword: 'ski', sort: 'lastName,asc' }, 13],
    [{ keyword: 'mann', sort: 'lastName,desc' }, 13],
    [{ keyword: 'son', sort: 'email,desc' }, 26],
    [{ keyword: 'ova', sort: 'age,asc', status: 'pending' }, 10],
    [{ keyword: 'ski', sort: 'lastName,desc', status: 'active', country: 'PL' }, 13],
    [{ keyword: 'zzz', sort: 'age,asc' }, 4],
    [{ keyword: 'a', sort: 'lastName,asc' }, 16],
    [{ keyword: 'e', sort: 'email,desc' }, 45],
    [{ keyword: 'an', sort: 'email,desc' }, 75],
    [{ keyword: 'q', sort: 'age,asc' }, 20],
  ])('of %j are at most %d', async (asked, most) => {
    expect(await tooExpensive(large, [asked], most)).toEqual([]);
  });

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
  beforeAll(async () => {
    await large.fold();
  });

  test(`of a first page are at most ${MORE} more with ${LARGE} users than with ${SMALL}`, async () => {
    const sorts = [
      'id,asc',
      'id,desc',
      'name,asc',
      'name,desc',
      'age,asc',
      'lastName,asc',
      'status,asc',
      'status,desc',
    ];
    for (const asked of [...first(sorts), ...FILTERS]) {
      const [few, many] = [await cost(small, asked), await cost(large, asked)];
      expect({ asked, more: Math.max(0, many.readUnits - few.readUnits - MORE) }).toEqual({ asked, more: 0 });
    }
  });

  test(`of a first page are at most ${ABOVE_JOURNAL} more than the units of the journal while nothing is folded, in at most ${CALLS} calls`, async () => {
    const service = await serviceOn.embedded();
    const source = people(1);
    await service.users.createMany(Array.from({ length: 400 }, () => source.next().value));
    const known = await metered(async (meter) => {
      await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: 1 }, () => true);
      return meter.readUnits;
    });
    expect(known).toBeGreaterThan(10);
    expect(known).toBeLessThan(20);
    for (const asked of [
      ...first(IN_ONE_LIST),
      { sort: 'createdAt,desc' },
      ...first(bothWays(['status'])),
      ...FILTERS,
    ]) {
      const { readUnits, calls, plan } = await cost(service, asked);
      const more = readUnits - known;
      expect({ asked, plan, more, calls, isFew: more <= ABOVE_JOURNAL && calls <= CALLS }).toMatchObject({
        isFew: true,
      });
    }
  });

  describe(`if each user has another status, and there are ${COUNTRIES} countries,`, () => {
    let service: TestService;

    beforeAll(async () => {
      service = serviceOn.memory();
      const users = Array.from({ length: LARGE }, (_, n) => ({
        name: 'A',
        status: `Status ${n}`,
        country: `C${n % COUNTRIES}`,
      }));
      await loadUsers(service, users.values(), { users: LARGE });
      // A container may read the journal twice in its first request.
      await cost(service, {});
    });

    const sorts = bothWays(['status', 'country']);
    const filters = [{ status: 'Status 7' }, { country: 'C7' }, { status: 'Status 7', country: 'C7' }];

    test.each([
      [
        'the first and the last page by status or country, and a filter by them',
        3,
        [...first(sorts), ...last(sorts, LARGE), ...filters],
      ],
      ['a page in the middle by status or country', 7, sorts.map((sort) => ({ sort, page: 50 }))],
      ['a country by status or country', 6, sorts.map((sort) => ({ sort, country: 'C7' }))],
    ] as const)('of %s are at most %d', async (_, most, asked) => {
      expect(await tooExpensive(service, asked, most)).toEqual([]);
    });
  });

  describe('are read', () => {
    const sorts = [...IN_ONE_LIST, ...bothWays(['status', 'country'])];
    const middle = [
      ...sorts.map((sort): Asked => ({ sort, page: 40 })),
      ...[3, 8].flatMap((page) => sorts.map((sort): Asked => ({ sort, country: 'US', page }))),
      ...bothWays(['id', 'createdAt']).flatMap((sort): Asked[] => [
        { sort, status: 'active', page: 20 },
        { sort, status: 'active', country: 'US', page: 5 },
      ]),
    ];

    test.each<[number, string, Asked[]]>([
      [2, 'the first page of all users, in the order of one list', first(IN_ONE_LIST)],
      [2, 'the first page with a filter', FILTERS],
      [
        2,
        'the first page of a country, in the order of one list',
        IN_ONE_LIST.map((sort) => ({ sort, country: 'US' })),
      ],
      [4, 'a page in the middle of a list', middle],
    ])('in %i calls one after another, for %s', async (most, _, asked) => {
      const service = await serviceOn.embedded({ tables: large.tables });
      const rounds = countRounds(service.dynamo);
      await cost(service, {});
      const slow: object[] = [];
      for (const each of asked) {
        rounds.begin();
        await cost(service, each);
        const taken = rounds.end();
        if (taken > most) slow.push({ ...each, taken });
      }
      expect(slow).toEqual([]);
    });
  });

  test(`of a walk that finds its users late are at most ${TIMES_GATHERED} times the units of gathering them`, async () => {
    const service = serviceOn.memory();
    const users = Array.from({ length: 3_000 }, (_, n) =>
      n < 400 ? { name: `z${n}`, status: 'late' } : { name: `a${n}`, status: 'early' },
    );
    await loadUsers(service, users.values(), { users: users.length });
    const gathered = 400 / 40;
    const { plan, readUnits } = await cost(service, { status: 'late', sort: 'name,asc' });
    expect(plan).toBe('gather part of byStatus');
    expect(readUnits).toBeLessThanOrEqual(TIMES_GATHERED * gathered);
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

  test(`of a create and a delete are ${CREATE}`, async () => {
    let id = 0;
    expect(await written(async () => ({ id } = await large.users.create(user)))).toBe(CREATE);
    expect(await written(() => large.users.delete(id))).toBe(CREATE);
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

  test.each([
    [900, 1],
    [2_000, 2],
    [70_000, 69],
  ])(
    'of a statement are the same as of a put, and of two statements twice as many: with %d bytes %d',
    async (length, units) => {
      const { directory } = large.tables;
      const [data, revision] = [new Uint8Array(length), 1];
      const put = () =>
        large.dynamo.send(new PutCommand({ TableName: directory, Item: { pk: 'cost', sk: 'put', revision, data } }));
      const inserts = [`a${length}`, `b${length}`].map((sk) => ({
        Statement: `INSERT INTO "${directory}" VALUE {'pk': ?, 'sk': ?, 'revision': ?, 'data': ?}`,
        Parameters: ['cost', sk, revision, data],
      }));
      const updates = [`a${length}`, `b${length}`].map((sk) => ({
        Statement: `UPDATE "${directory}" SET "revision" = ?, "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?`,
        Parameters: [2, data, 'cost', sk, revision],
      }));
      expect(await written(put)).toBe(units);
      expect(await written(() => executeStatements(large, inserts))).toBe(2 * units);
      expect(await written(() => executeStatements(large, updates))).toBe(2 * units);
    },
  );

  test(`of a fold of one user are at most ${ALONE}`, async () => {
    await large.fold();
    await large.users.create(user);
    expect(await written(() => large.fold())).toBeLessThanOrEqual(ALONE);
  });

  test('of keeping a hundred changes are at most 1.3 for each', async () => {
    await large.fold();
    const source = people(3);
    await large.users.createMany(Array.from({ length: 100 }, () => source.next().value));
    const { entries } = await readItems(large);
    const kept = { feed: 'cost', epoch: 1, batchBefore: 0, claimedAt: large.runtime.now() };
    const units = await written(() => keepChanges(large, kept, entries, HISTORY_DAYS));
    expect(units / 100).toBeGreaterThan(1);
    expect(units / 100).toBeLessThanOrEqual(1.3);
  });

  test(`of a fold of a hundred users are from 1 to ${TOGETHER} for each`, async () => {
    await large.fold();
    const source = people(2);
    await large.users.createMany(Array.from({ length: 100 }, () => source.next().value));
    const units = await written(() => large.fold());
    expect(units / 100).toBeGreaterThan(1);
    expect(units / 100).toBeLessThanOrEqual(TOGETHER);
  });
});

describe('the read units of changes', () => {
  const units = (read: () => Promise<unknown>) =>
    metered(async (meter) => {
      await read();
      return [meter.readUnits, meter.calls];
    });

  /** DynamoDB Local takes less than DynamoDB for a query that finds nothing. */
  async function expectAtMost(most: number, read: () => Promise<unknown>): Promise<void> {
    const [spent = 0, calls = 0] = await units(read);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(most);
    expect(calls).toBeLessThanOrEqual(2);
  }

  test('are two for a poll that finds nothing, four and one per change for a page, and two for the history of a user', async () => {
    await small.fold();
    // In the first minutes of a day the feed also reads the day before.
    const noon = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    const atNoon = { ...small, runtime: { ...small.runtime, now: () => noon } };
    const { feed, history } = createChanges(atNoon, HISTORY_DAYS);
    const { next } = await feed({ after: 'now', size: 1 });
    await expectAtMost(2, () => feed({ after: next, size: 100 }));
    const [first] = await small.users.createMany(Array.from({ length: 200 }, (_, i) => ({ name: `Changed ${i}` })));
    await small.fold();
    const [read = 0, calls = 0] = await units(() => feed({ after: next, size: 100 }));
    expect(read).toBeGreaterThan(100);
    expect(read).toBeLessThanOrEqual(104);
    expect(calls).toBeLessThanOrEqual(4);
    await expectAtMost(2, () => history({ id: first?.id ?? 0, before: undefined, size: 500 }));
  });
});
