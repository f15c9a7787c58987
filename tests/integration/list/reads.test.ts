import { beforeAll, describe, expect, test } from 'vitest';
import type { SortProperty } from '../../../lib/users/fields.ts';
import type { Filters } from '../../../lib/users/filters.ts';
import { createUserListing } from '../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import type { Sizes } from '../../../lib/users/sizes.ts';
import { loadUsers } from '../../../tools/local/loadUsers.ts';
import type { ModelQuery } from '../../support/model.ts';
import { askNames } from '../../support/questions.ts';
import { serviceOn } from '../../support/service.ts';

describe('the budget of a request', () => {
  const range = { 'age.gte': 1 };
  const { database, databaseOf } = serviceOn.memory();

  beforeAll(async () => {
    const users = Array.from({ length: 1_200 }, (_, n) => ({
      name: `a${n}`,
      age: (n % 80) + 1,
      status: n % 3 === 0 ? 'on' : 'off',
      lastName: n > 1_180 ? `Qu ${n}` : `${n < 880 ? 'Lee' : 'Khan'} ${n % 300}`,
    }));
    await loadUsers(database, users.values(), { users: users.length });
  });

  /** A listing of these users, and the units of each of its reads, of an index or not. */
  function listingWith(sizes: Partial<Sizes>) {
    const reads: { IndexName?: string; units: number }[] = [];
    const own = databaseOf(async ({ input }, execute) => {
      const output = (await execute()) as { ConsumedCapacity: { CapacityUnits: number } };
      reads.push({ ...(input as { IndexName?: string }), units: output.ConsumedCapacity.CapacityUnits });
      return output;
    });
    return { listing: createUserListing({ ...own, sizes: { ...own.sizes, ...sizes } }), reads };
  }

  /** The refusal of a page, and the units of each read of an index. */
  async function refusal(sizes: Partial<Sizes>, asked: Partial<ModelQuery>) {
    const { listing, reads } = listingWith(sizes);
    const answer = await askNames(listing, asked).catch(({ status, message }) => ({ status, message }));
    return { reads: reads.flatMap(({ IndexName, units }) => (IndexName ? [units] : [])), answer };
  }

  test('refuses a listing whose estimate is above it, before a list is read', async () => {
    const sort: ModelQuery['sort'] = [{ property: 'name', direction: 'asc' }];
    expect(await refusal({ budgetUnits: 1 }, { status: 'on', sort })).toEqual({
      reads: [],
      answer: {
        status: 400,
        message:
          'This listing would read about 2 units, and 1 are allowed: narrow it by a filter, sort it by one property, or walk it by cursor',
      },
    });
  });

  test('ends a walk that costs more than its estimate with the read that exceeds it', async () => {
    expect(await refusal({ budgetUnits: 4, risks: { walk: 0.001 } }, { keyword: 'k' })).toEqual({
      reads: [1, 1.5, 1],
      answer: {
        status: 400,
        message: expect.stringMatching(/^This listing would read .*4 (units that )?are allowed: narrow it by a filter/),
      },
    });
  });

  /** The units of a page, and of a cursor batch, or of their refusals. */
  async function unitsOf(sizes: Partial<Sizes>, keyword: string, filters: Filters, properties: SortProperty[]) {
    const { listing, reads } = listingWith(sizes);
    const asked = { filters, keyword };
    const pages = properties.map((property) => () => {
      const order = totalOrder([{ property, direction: 'asc' }]);
      return listing.page({ ...asked, order, number: 0, size: 20 });
    });
    const units: number[] = [];
    for (const ask of [...pages, () => listing.after({ ...asked, after: 0, size: 20 })]) {
      reads.length = 0;
      await ask().catch((error: unknown) => expect(error).toMatchObject({ status: 400 }));
      units.push(reads.reduce((sum, each) => sum + each.units, 0));
    }
    return units;
  }

  test.each([
    [5, 0.001],
    [20, 2],
  ])(
    'bounds what is read, the journal and what is under way left out, however often a request begins again: %d units',
    async (budgetUnits, walk) => {
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
