import { beforeAll, describe, expect, test } from 'vitest';
import { type Meter, metered } from '../../lib/metering.ts';
import { people } from '../../lib/tooling/local/people.ts';
import type { SortProperty } from '../../lib/users/fields.ts';
import type { UserBatch } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { createTestService, type TestService } from '../support/store.ts';

/** DynamoDB charges by rules, so these are facts and not timings. */
const SMALL = 500;
const LARGE = 2_000;

/** How many users are written, not loaded, at first. */
const WRITTEN = 250;

/** How many users may be written in some seconds. */
const RECENT = 20;

let small: TestService;
let large: TestService;

/** Most users are loaded in bulk, the others written and folded, so that pages of both kinds are measured. */
async function addUsers(service: TestService, seed: number, count: number): Promise<void> {
  const source = people(seed);
  await loadUsers(service, source, { users: count - WRITTEN });
  await service.users.createMany(Array.from({ length: WRITTEN }, () => source.next().value));
  expect(await service.fold.run(200_000)).toMatchObject({ left: 0 });
}

beforeAll(async () => {
  [small, large] = [await createTestService(), await createTestService()];
  await addUsers(small, 1, SMALL);
  await addUsers(large, 1, LARGE);
});

interface Asked {
  status?: string;
  country?: string;
  email?: string;
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

/** In descending order users without a value come first, in runs that are queries of their own. */
const BEGIN_WITH_A_RUN = ['email,desc', 'age,desc', 'firstName,desc', 'lastName,desc'];
const BEGIN_AT_ONCE = IN_ONE_LIST.filter((sort) => !BEGIN_WITH_A_RUN.includes(sort) && sort !== 'createdAt,desc');

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

describe.each([
  ['when all is folded', 0, 0],
  ['when the last writes are not folded yet', RECENT, 0.5],
] as const)('read units, %s,', (_, written, recent) => {
  const service = () => large;

  beforeAll(async () => {
    const source = people(2);
    await large.users.createMany(Array.from({ length: written }, () => source.next().value));
  });

  test('of the first and the last page of one list are at most 3', async () => {
    expect(
      await tooExpensive(service(), [...first(BEGIN_AT_ONCE), ...last(BEGIN_AT_ONCE, LARGE + written)], 2 + recent),
    ).toEqual([]);
  });

  test('of a first page of users without a value, or of the newest users, are at most 4', async () => {
    const sorts = [...BEGIN_WITH_A_RUN, 'createdAt,desc'];
    expect(await tooExpensive(service(), [...first(sorts), ...last(sorts, LARGE + written)], 4)).toEqual([]);
  });

  test('of the first and the last page by status or country are at most 5', async () => {
    const sorts = bothWays(['status', 'country']);
    expect(await tooExpensive(service(), [...first(sorts), ...last(sorts, LARGE + written)], 5)).toEqual([]);
  });

  test('of the first page with a filter in default order are at most 4.5', async () => {
    expect(await tooExpensive(service(), FILTERS, 3.5)).toEqual([]);
  });

  test('of a country by status are at most 4.5', async () => {
    const ways = ['US', 'GR', 'RW', 'LI'].flatMap((country) => bothWays(['status']).map((sort) => ({ country, sort })));
    expect(await tooExpensive(service(), ways, 4.5)).toEqual([]);
  });

  test('of a country in any order are at most 6', async () => {
    const ways = IN_ONE_LIST.map((sort) => ({ country: 'GR', sort }));
    expect(await tooExpensive(service(), ways, 4.5)).toEqual([]);
    // In this country more than fifty users have no value.
    expect(
      await tooExpensive(
        service(),
        IN_ONE_LIST.map((sort) => ({ country: 'US', sort })),
        6,
      ),
    ).toEqual([]);
  });

  test('of a status in any order are at most 12', async () => {
    const ways = ['active', 'pending', 'suspended'].flatMap((status) =>
      bothWays(['name', 'email', 'age', 'lastName', 'country']).map((sort) => ({ status, sort })),
    );
    expect(await tooExpensive(service(), ways, 12)).toEqual([]);
  });

  test.each([
    [{ keyword: 'ski', sort: 'lastName,asc' }, 13],
    [{ keyword: 'mann', sort: 'lastName,desc' }, 13],
    [{ keyword: 'son', sort: 'email,desc' }, 26],
    [{ keyword: 'ova', sort: 'age,asc', status: 'pending' }, 10],
    [{ keyword: 'ski', sort: 'lastName,desc', status: 'active', country: 'PL' }, 13],
    [{ keyword: 'zzz', sort: 'age,asc' }, 3],
    [{ keyword: 'a', sort: 'lastName,asc' }, 16],
    [{ keyword: 'e', sort: 'email,desc' }, 45],
    [{ keyword: 'an', sort: 'email,desc' }, 75],
    [{ keyword: 'q', sort: 'age,asc' }, 20],
  ])('of %j are at most %d', async (asked, most) => {
    expect(await tooExpensive(service(), [asked], most)).toEqual([]);
  });

  test('of a cursor batch are at most 2, of a user 1, and of a 304 1', async () => {
    for (const filters of [{}, { status: 'active' }, { country: 'US' }, { status: 'active', country: 'US' }]) {
      await metered(async (meter) => {
        const { users } = await service().listing.after({ filters, keyword: undefined, after: 0, size: 20 });
        expect(users).toHaveLength(20);
        expect(meter.readUnits).toBe(1.5);
      });
    }
    const query = { filters: {}, keyword: undefined, after: 0, size: 1 };
    const { users } = (await service().listing.after(query)) as UserBatch;
    await metered(async (meter) => {
      await service().users.get(users[0]?.id ?? 0);
      expect(meter.readUnits).toBe(1);
    });
    await metered(async (meter) => {
      expect(await service().listing.after(query, () => true)).toEqual({ tag: expect.any(String) });
      expect(meter).toMatchObject({ readUnits: 1, calls: 1 });
    });
  });
});

describe('read units', () => {
  beforeAll(async () => {
    await large.fold.run(20_000);
  });

  test('of a first page are the same for few users', async () => {
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
      expect({ asked, more: Math.max(0, many.readUnits - few.readUnits - 0.5) }).toEqual({ asked, more: 0 });
    }
  });

  test('of any list rise only by those of the journal while nothing is folded', async () => {
    const service = await createTestService();
    const source = people(1);
    await service.users.createMany(Array.from({ length: 400 }, () => source.next().value));
    const known = await metered(async (meter) => {
      await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: 1 }, () => true);
      return meter.readUnits;
    });
    expect(known).toBeGreaterThan(10);
    expect(known).toBeLessThan(20);
    for (const asked of [
      ...first(BEGIN_AT_ONCE),
      { sort: 'createdAt,desc' },
      ...first(bothWays(['status'])),
      ...FILTERS,
    ]) {
      const { readUnits, calls, plan } = await cost(service, asked);
      const more = readUnits - known;
      expect({ asked, plan, more, calls, isFew: more <= 3 && calls <= 6 }).toMatchObject({ isFew: true });
    }
  });

  test('are as few if each user has a status and a country of its own', async () => {
    const service = await createTestService();
    const users = Array.from({ length: LARGE }, (_, n) => ({
      name: 'A',
      status: `Status ${n}`,
      country: `C${n % 700}`,
    }));
    await loadUsers(service, users.values(), { users: LARGE });
    const sorts = bothWays(['status', 'country']);
    const filters = [{ status: 'Status 7' }, { country: 'C7' }, { status: 'Status 7', country: 'C7' }];
    expect(await tooExpensive(service, [...first(sorts), ...last(sorts, LARGE), ...filters], 3)).toEqual([]);
    const middle = sorts.map((sort) => ({ sort, page: 50 }));
    const ofCountry = sorts.map((sort) => ({ sort, country: 'C7' }));
    expect(await tooExpensive(service, [...middle, ...ofCountry], 6)).toEqual([]);
  });

  test('of a walk that finds its users late are bounded by those of gathering them', async () => {
    const service = await createTestService();
    const users = Array.from({ length: 3_000 }, (_, n) =>
      n < 400 ? { name: `z${n}`, status: 'late' } : { name: `a${n}`, status: 'early' },
    );
    await loadUsers(service, users.values(), { users: users.length });
    const gathered = 400 / 40;
    const { plan, readUnits } = await cost(service, { status: 'late', sort: 'name,asc' });
    expect(plan).toBe('walk byName, gather one status in byStatus');
    expect(readUnits).toBeLessThanOrEqual(2.5 * gathered);
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

  test('of a fold are at most 60 for one user, and at most 20 for each of a hundred users', async () => {
    await large.fold.run(10_000);
    await large.users.create(user);
    expect(await written(() => large.fold.run(10_000))).toBeLessThanOrEqual(60);
    const source = people(2);
    await large.users.createMany(Array.from({ length: 100 }, () => source.next().value));
    const units = await written(() => large.fold.run(10_000));
    expect(units).toBeGreaterThan(100);
    expect(units).toBeLessThanOrEqual(2_000);
  });
});
