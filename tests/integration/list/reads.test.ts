import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { metered } from '../../../lib/metering.ts';
import type { SortProperty } from '../../../lib/users/fields.ts';
import type { Filters } from '../../../lib/users/filters.ts';
import { createUserListing } from '../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import type { Sizes } from '../../../lib/users/sizes.ts';
import { loadUsers } from '../../../tools/local/loadUsers.ts';
import type { ModelQuery } from '../../support/model.ts';
import { askNames } from '../../support/questions.ts';
import { serviceOn, type TestService, UNHURRIED_READERS } from '../../support/service.ts';

/** Calls `note` with each query and its response. */
function watchQueries(
  { dynamo }: TestService,
  note: (asked: QueryCommandInput, got: QueryCommandOutput) => void,
): void {
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      note(args.input as QueryCommandInput, result.output as QueryCommandOutput);
      return result;
    },
    { step: 'initialize', name: 'watchQueries' },
  );
}

describe('the budget of a page', () => {
  const BY_NAME: ModelQuery['sort'] = [{ property: 'name', direction: 'asc' }];

  /** Asks for users of whom the later ones have the status `late` and come last by name. @returns also the units of each read of an index */
  async function ask(sizes: Partial<Sizes>, early: number, asked: Partial<ModelQuery>) {
    const service = await serviceOn.embedded({ sizes, clock: UNHURRIED_READERS });
    const fields = Array.from({ length: 600 }, (_, n) =>
      n < early
        ? { name: `a${n}`, lastName: 'Lee', status: 'early' }
        : { name: `z${n}`, lastName: 'Khan', status: 'late' },
    );
    await service.users.createMany(fields);
    const reads: number[] = [];
    watchQueries(service, ({ IndexName }, { ConsumedCapacity }) => {
      if (IndexName) reads.push(ConsumedCapacity?.CapacityUnits ?? Number.NaN);
    });
    const found = askNames(service.listing, { sort: BY_NAME, ...asked });
    return {
      reads,
      answer: await found.then(
        ({ total }) => ({ total }),
        ({ status, message }) => ({ status, message }),
      ),
    };
  }

  test('refuses a listing whose estimate is above it, before a list is read', async () => {
    expect(await ask({ budgetUnits: 1 }, 500, { status: 'late' })).toEqual({
      reads: [],
      answer: {
        status: 400,
        message:
          'This listing would read about 2 units, and 1 are allowed: narrow it by a filter, sort it by one property, or walk it by cursor',
      },
    });
  });

  test('ends a walk that costs more than its estimate with the read that exceeds it', async () => {
    expect(await ask({ budgetUnits: 4, risks: { walk: 0.001 } }, 300, { keyword: 'k' })).toEqual({
      reads: expect.arrayContaining([0.5, 2]),
      answer: {
        status: 400,
        message: expect.stringMatching(/^This listing would read .*4 (units that )?are allowed: narrow it by a filter/),
      },
    });
  });
});

describe('a request', () => {
  const range = { 'age.gte': 1 };
  let service: TestService;

  beforeAll(async () => {
    service = await serviceOn.embedded({ clock: UNHURRIED_READERS });
    const users = Array.from({ length: 1_200 }, (_, n) => ({
      name: `a${n}`,
      age: (n % 80) + 1,
      status: n % 3 === 0 ? 'on' : 'off',
      lastName: n > 1_180 ? `Qu ${n}` : `Lee ${n % 300}`,
    }));
    await loadUsers(service, users.values(), { users: users.length });
  });

  /** The units of a page, and of a cursor batch, or of their refusals. */
  async function unitsOf(sizes: Partial<Sizes>, keyword: string, filters: Filters, properties: SortProperty[]) {
    const listing = createUserListing({ ...service, sizes: { ...service.sizes, ...sizes } });
    const asked = { filters, keyword };
    const pages = properties.map((property) => () => {
      const order = totalOrder([{ property, direction: 'asc' }]);
      return listing.page({ ...asked, order, number: 0, size: 20 });
    });
    const units: number[] = [];
    for (const ask of [...pages, () => listing.after({ ...asked, after: 0, size: 20 })]) {
      await metered(async (meter) => {
        await ask().catch((error: unknown) => expect(error).toMatchObject({ status: 400 }));
        units.push(meter.readUnits);
      });
    }
    return units;
  }

  test.each([5, 20])(
    'reads at most its budget of %d units, the journal, and what is under way, however often it begins again',
    async (budgetUnits) => {
      for (const walk of [0.001, 2])
        for (const keyword of ['q', 'lee', 'e'])
          for (const filters of [{}, range, { status: 'on' }, { ...range, status: 'on' }]) {
            const units = await unitsOf({ budgetUnits, risks: { walk } }, keyword, filters, [
              'name',
              'lastName',
              'status',
            ]);
            expect(Math.max(...units), JSON.stringify({ keyword, filters, walk, units })).toBeLessThanOrEqual(
              budgetUnits + 4,
            );
          }
    },
  );
});

test('every page of a status in the order of names is right, although DynamoDB cuts its reads at 1 MB', async () => {
  const service = await serviceOn.embedded();
  // Users of 2 KB, so that a read is cut after some 400 of them. A page of a client has at most a hundred, but a plan may read more for it.
  const [long, group] = ['𝒳'.repeat(190), '𝒳'.repeat(64)];
  const names = Array.from({ length: 900 }, (_, n) => `${long}${n}`);
  const people = names.map((name) => ({ name, firstName: long, status: group, country: group }));
  await loadUsers(service, people.values(), { users: names.length });
  let cuts = 0;
  watchQueries(service, ({ Limit = Number.POSITIVE_INFINITY }, { Count = 0, LastEvaluatedKey }) => {
    if (LastEvaluatedKey !== undefined && Count < Limit) cuts++;
  });
  const found: string[] = [];
  for (const page of [0, 1]) {
    const asked: ModelQuery = { status: group, sort: [{ property: 'name', direction: 'asc' }], page, size: 450 };
    const { names: some, total } = await askNames(service.listing, asked);
    expect(total).toBe(names.length);
    found.push(...some);
  }
  expect(found).toEqual(names.toSorted());
  expect(cuts).toBeGreaterThan(0);
});
