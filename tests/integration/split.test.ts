import { beforeAll, describe, expect, test } from 'vitest';
import { toPage } from '../../lib/http/response/collections.ts';
import { metered } from '../../lib/metering.ts';
import type { UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { represent, type UserFields } from '../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../support/model.ts';
import { createTestService, type TestService } from '../support/store.ts';

const SIZE = 7;
const COUNTRIES = ['FR', 'JP', 'TR', undefined];
const STATUSES = ['active', 'inactive', undefined];

/** Numbers without any pattern, the same in every run. */
const scatter = (n: number): number => Math.imul(n + 1, 0x9e3779b1) >>> 0;

const at = <Value>(values: readonly Value[], n: number): Value => values[n % values.length] as Value;

/** Every third user has a distinct last name with the keyword. Most of these users are from one country. */
function person(n: number): UserFields {
  const [random, isRare] = [scatter(n), n % 3 === 0];
  const country = isRare && random % 5 > 0 ? 'FR' : at(COUNTRIES, random);
  const script = country === 'JP' ? '鈴' : country === 'TR' ? 'ş' : 'm';
  return {
    name: `${script} ${random % 50}`,
    ...(random % 7 > 0 && { firstName: `${script}${random % 9}` }),
    ...(random % 11 > 0 && { email: `${script}${n}@example.com` }),
    ...(isRare ? { lastName: `${random % 26} rare ${n}` } : random % 4 > 0 && { lastName: `${script} frequent` }),
    ...(country && { country }),
    ...(at(STATUSES, random >>> 3) && { status: at(STATUSES, random >>> 3) }),
  } as UserFields;
}

let service: TestService;
let users: ModelUser[];

const asking = (asked: ModelQuery) =>
  metered(async (meter) => {
    const { keyword, sort, page: number, size, status } = asked;
    const query = { filters: status ? { status } : {}, keyword, order: totalOrder(sort), number, size };
    const page = toPage((await service.listing.page(query)) as UserPage, query);
    return { page, plan: meter.plan };
  });

const BY_STATUS = { property: 'status', direction: 'desc' } as const;

const QUERIES = (['name', 'firstName', 'email'] as const).flatMap((property) =>
  (['asc', 'desc'] as const).flatMap((direction) => [
    { keyword: 'rare', sort: [{ property, direction }], size: SIZE },
    { keyword: 'rare', sort: [{ property, direction }], status: 'active', size: SIZE },
    // All have the same status, so it does not order them.
    { keyword: 'rare', sort: [BY_STATUS, { property, direction }], status: 'active', size: SIZE },
  ]),
);

/** The actual and the expected pages, and how many were split. */
async function compare(): Promise<number> {
  let split = 0;
  for (const query of QUERIES) {
    for (const number of [0, 1, 2, 5]) {
      const asked = { ...query, page: number } as ModelQuery;
      const { page, plan } = await asking(asked);
      expect({ asked, page }).toEqual({ asked, page: modelPage(users, asked) });
      if (plan?.includes('split by country')) split++;
    }
  }
  return split;
}

describe('a search in the order of a text, split by country', () => {
  beforeAll(async () => {
    service = await createTestService({}, undefined, { walkPatience: 0.01 });
    users = (await service.users.createMany(Array.from({ length: 300 }, (_, n) => person(n)))).map(
      represent,
    ) as ModelUser[];
  });

  test('equals the model before a fold', async () => {
    expect(await compare()).toBeGreaterThan(10);
  });

  test('equals the model after a fold, and after later changes', async () => {
    await service.fold.run(60_000);
    expect(await compare()).toBeGreaterThan(10);
    for (const [i, user] of users.slice(0, 90).entries()) {
      const country = at(COUNTRIES, i);
      const changed = await service.users.update(user.id, ({ country: _, ...rest }) => ({
        ...rest,
        ...(country && { country }),
      }));
      users[i] = represent(changed) as ModelUser;
    }
    expect(await compare()).toBeGreaterThan(10);
  });
});

test('a search by last name within users of one first name counts only these', async () => {
  const small = await createTestService({}, undefined, { nearUsers: 2, commonUsers: 5, walkPatience: 0.001 });
  const given: UserFields[] = Array.from({ length: 40 }, (_, n) => ({
    name: `n${n}`,
    lastName: `${String.fromCharCode(97 + (scatter(n) % 26))}b`,
    ...(n % 3 > 0 && { firstName: n % 2 === 0 ? 'Ann' : 'Bea' }),
  }));
  const created = (await small.users.createMany(given)).map(represent) as ModelUser[];
  const sort = [
    { property: 'firstName', direction: 'desc' },
    { property: 'lastName', direction: 'asc' },
  ] as const;
  for (const number of [0, 1, 2, 3, 4, 5]) {
    const query = { filters: {}, keyword: 'b', order: totalOrder(sort), number, size: 3 };
    const asked = { keyword: 'b', sort: [...sort], page: number, size: 3 } as ModelQuery;
    expect(toPage((await small.listing.page(query)) as UserPage, query)).toEqual(modelPage(created, asked));
  }
});

test('a search by the status that is asked for, and then by last name, is in the order of last names', async () => {
  const small = await createTestService({}, undefined, { nearUsers: 2, commonUsers: 5, walkPatience: 0.001 });
  const given: UserFields[] = Array.from({ length: 40 }, (_, n) => ({
    name: `n${n}`,
    lastName: `${String.fromCharCode(97 + (scatter(n) % 26))}${n % 2 === 0 ? 'b' : 'c'}`,
    status: n % 3 === 0 ? 'active' : 'locked',
  }));
  const created = (await small.users.createMany(given)).map(represent) as ModelUser[];
  await small.fold.run(60_000);
  const sort = [BY_STATUS, { property: 'lastName', direction: 'asc' }] as const;
  for (const number of [0, 1, 2]) {
    const filters = { status: 'active', keyword: 'b' };
    const query = { filters: { status: 'active' }, keyword: 'b', order: totalOrder(sort), number, size: 3 };
    const asked = { ...filters, sort: [...sort], page: number, size: 3 } as ModelQuery;
    expect(toPage((await small.listing.page(query)) as UserPage, query)).toEqual(modelPage(created, asked));
  }
});
