import { beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../lib/local/people.ts';
import { type Meter, metered } from '../../lib/metering.ts';
import type { SortProperty } from '../../lib/users/keys.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { createTestService, type TestService } from '../support/store.ts';

/** DynamoDB charges by rules, so these are facts and not timings. */
const SMALL = 1_000;
const LARGE = 4_000;

const PROPERTIES = ['id', 'name', 'email', 'age', 'firstName', 'lastName', 'createdAt', 'status', 'country'] as const;

let small: TestService;
let large: TestService;

async function serviceWith(users: number): Promise<TestService> {
  const source = people(1);
  const service = await createTestService();
  await service.users.createMany(Array.from({ length: users }, () => source.next().value));
  return service;
}

beforeAll(async () => {
  [small, large] = [await serviceWith(SMALL), await serviceWith(LARGE)];
});

interface Asked {
  status?: string;
  country?: string;
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

describe('read units', () => {
  test.each(PROPERTIES.flatMap((property) => [`${property},asc`, `${property},desc`]))(
    'of the first and the last page by %s are few, and grow with the rows of counts only',
    async (sort) => {
      for (const at of ['first', 'last'] as const) {
        const [few, many] = await Promise.all([
          cost(small, { sort, page: at === 'first' ? 0 : SMALL / 20 - 1 }),
          cost(large, { sort, page: at === 'first' ? 0 : LARGE / 20 - 1 }),
        ]);
        expect(many.readUnits).toBeLessThanOrEqual(13);
        // The rows of counts are as many as there are pairs of status and country: most are missing in the small set.
        expect(many.readUnits - few.readUnits).toBeLessThanOrEqual(5);
      }
    },
  );

  test.each([{ status: 'active' }, { country: 'DE' }, { status: 'pending', country: 'US' }, { status: 'none' }])(
    'of the first page with %j in default order are few, and grow with the rows of counts only',
    async (filters) => {
      const [few, many] = await Promise.all([cost(small, filters), cost(large, filters)]);
      expect(many.readUnits).toBeLessThanOrEqual(10);
      expect(many.readUnits - few.readUnits).toBeLessThanOrEqual(5);
    },
  );

  test('of any status, country and sort stay below 25', async () => {
    const dear: object[] = [];
    for (const status of [undefined, 'active', 'pending', 'suspended']) {
      for (const country of [undefined, 'US', 'RU', 'KR', 'GR']) {
        for (const property of PROPERTIES) {
          for (const direction of ['asc', 'desc']) {
            const asked = { ...(status && { status }), ...(country && { country }), sort: `${property},${direction}` };
            const { readUnits, plan } = await cost(large, asked);
            if (readUnits > 25) dear.push({ ...asked, readUnits, plan });
          }
        }
      }
    }
    expect(dear).toEqual([]);
  });

  test.each([
    [{ keyword: 'ski', sort: 'lastName,asc' }, 40],
    [{ keyword: 'ski', sort: 'lastName,desc', status: 'active', country: 'PL' }, 40],
    [{ keyword: 'mann', sort: 'email,desc' }, 60],
    [{ keyword: 'ova', sort: 'age,asc', status: 'pending' }, 60],
    [{ keyword: 'a', sort: 'lastName,asc' }, 60],
    [{ keyword: 'e', sort: 'email,desc' }, 60],
    [{ keyword: 'q', sort: 'age,asc' }, 60],
  ])('of %j are at most %d', async (asked, most) => {
    expect((await cost(large, asked)).readUnits).toBeLessThanOrEqual(most);
  });

  test('of a page half way are those of half an index', async () => {
    const halfIndex = (LARGE / 2 / 40) * 1.1;
    for (const sort of ['name,asc', 'lastName,desc', 'createdAt,desc', 'age,desc']) {
      const { readUnits } = await cost(large, { sort, page: LARGE / 40 - 1 });
      expect({ sort, isWithin: readUnits <= halfIndex + 4 }).toEqual({ sort, isWithin: true });
    }
  });

  test('of a cursor batch and of a user do not depend on how many there are', async () => {
    for (const filters of [{}, { status: 'active' }, { country: 'DE' }, { status: 'active', country: 'DE' }]) {
      const batch = (meter: Meter) =>
        large.listing
          .after({ filters, keyword: undefined, after: 0, size: 20 })
          .then((users) => [users.length, meter.readUnits]);
      const [size, units] = (await metered(batch)) as [number, number];
      expect(size).toBe(20);
      expect(units).toBeLessThanOrEqual(1);
    }
    const [user] = await large.listing.after({ filters: {}, keyword: undefined, after: 0, size: 1 });
    await metered(async (meter) => {
      await large.users.get(user?.id ?? 0);
      expect(meter.readUnits).toBe(1);
    });
  });

  test('of a walk that its users are not where it expects them are bounded by those of gathering them', async () => {
    const service = await createTestService();
    const users = Array.from({ length: 6_000 }, (_, n) =>
      n < 1_500 ? { name: `z${n}`, status: 'late' } : { name: `a${n}`, status: 'early' },
    );
    await service.users.createMany(users);
    const { plan, readUnits } = await cost(service, { status: 'late', sort: 'name,asc' });
    expect(plan).toBe('walk byName, given up; gather byStatus');
    expect(readUnits).toBeLessThanOrEqual(62);
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

  test('of a create and a delete are 27, for a last name of seven letters', async () => {
    let id = 0;
    expect(await written(async () => ({ id } = await large.users.create(user)))).toBe(27);
    expect(await written(() => large.users.delete(id))).toBe(27);
  });

  test('of a change that touches neither last name, status nor country are at most 12', async () => {
    const { id } = await large.users.create(user);
    expect(await written(() => large.users.update(id, (current) => ({ ...current, age: 31 })))).toBe(12);
    expect(await written(() => large.users.update(id, (current) => ({ ...current, age: 58 })))).toBe(12);
    expect(await written(() => large.users.update(id, (current) => ({ ...current, email: 'a@example.com' })))).toBe(12);
    await large.users.delete(id);
  });
});
