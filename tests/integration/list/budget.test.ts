import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import type { Sizes } from '../../../lib/users/sizes.ts';
import { serviceOn } from '../../support/service.ts';

const BY_NAME = totalOrder([{ property: 'name', direction: 'asc' }]);
const page = { filters: {}, keyword: undefined, order: BY_NAME, number: 0, size: 20 };

/** The users with the status `late` come last by name. */
const people = (early: number) =>
  Array.from({ length: 600 }, (_, n) => ({
    name: `${n < early ? 'a' : 'z'}${n}`,
    lastName: n < early ? 'Lee' : 'Khan',
    status: n < early ? 'early' : 'late',
  }));

/** A listing of such users, and the units of each read of an index. */
async function createListing(sizes: Partial<Sizes>, early = 500) {
  const { users, listing, dynamo } = await serviceOn.embedded({ sizes });
  await users.createMany(people(early));
  const reads: number[] = [];
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { IndexName } = args.input as { IndexName?: string };
      const { ConsumedCapacity } = result.output as QueryCommandOutput;
      if (IndexName) reads.push(ConsumedCapacity?.CapacityUnits ?? Number.NaN);
      return result;
    },
    { step: 'initialize', name: 'noteReads' },
  );
  return { listing, reads };
}

test('a listing whose estimate is above the budget of a page is refused before a list is read', async () => {
  const { listing, reads } = await createListing({ budgetUnits: 1 });
  await expect(listing.page({ ...page, filters: { status: 'late' } })).rejects.toMatchObject({
    status: 400,
    message:
      'This listing would read about 2 units, and 1 are allowed: narrow it by a filter, sort it by one property, or walk it by cursor',
  });
  expect(reads).toEqual([]);
});

test('a walk that costs more than its estimate ends with the read that exceeds the budget of a page', async () => {
  const { listing, reads } = await createListing({ budgetUnits: 2, risks: { walk: 0.001 } }, 300);
  await expect(listing.page({ ...page, keyword: 'k' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^This listing would read .*2 (units that )?are allowed: narrow it by a filter/),
  });
  expect(reads).toEqual([0.5, 2]);
});

test('a walk within the budget of a page is not refused', async () => {
  const { listing } = await createListing({ budgetUnits: 4, risks: { walk: 0.001 } });
  await expect(listing.page({ ...page, keyword: 'l' })).resolves.toMatchObject({ total: 500 });
});
