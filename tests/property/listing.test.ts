import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPage } from '../../lib/http/pages.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { represent } from '../../lib/users/user.ts';
import { query, sort, userFields } from '../support/arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../support/model.ts';
import { createTestService, type TestService } from '../support/store.ts';

const DATA_SETS = 12;
const QUERIES_PER_DATA_SET = 100;

async function ask({ listing }: TestService, { status, country, keyword, sort, page, size }: ModelQuery) {
  const filters = { ...(status && { status }), ...(country && { country }) };
  const request = { filters, keyword, order: totalOrder(sort), number: page, size };
  return toPage(await listing.page(request), request);
}

async function seeded(fields: Parameters<TestService['users']['createMany']>[0]) {
  // A slow clock: several users share a millisecond, and with it their createdAt.
  let ticks = 0;
  const service = await createTestService({ now: () => 1_790_000_000_000 + Math.floor(ticks++ / 3) });
  const users = await service.users.createMany(fields);
  return { service, users: users.map(represent) as ModelUser[] };
}

describe('a listing', () => {
  test('has the members, order and totals of the in-memory model, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(userFields, { minLength: 0, maxLength: 120, size: 'max' }),
        fc.array(query, { minLength: QUERIES_PER_DATA_SET, maxLength: QUERIES_PER_DATA_SET }),
        async (fields, queries) => {
          const { service, users } = await seeded(fields);
          for (const asked of queries) expect(await ask(service, asked)).toEqual(modelPage(users, asked));
        },
      ),
      { numRuns: DATA_SETS, endOnFailure: true },
    );
  });

  test('of all users is the whole set in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(userFields, { maxLength: 80, size: 'max' }),
        fc.array(sort, { minLength: 20, maxLength: 20 }),
        async (fields, sorts) => {
          const { service, users } = await seeded(fields);
          for (const keys of sorts) {
            const all = await service.listing.all(totalOrder(keys));
            expect(all.map(represent)).toEqual(modelSort(users, keys));
          }
        },
      ),
      { numRuns: 5, endOnFailure: true },
    );
  });

  test('by cursor visits every match once, by id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(userFields, { maxLength: 80, size: 'max' }), query, async (fields, asked) => {
        const { service, users } = await seeded(fields);
        const { status, country, keyword } = asked;
        const filters = { ...(status && { status }), ...(country && { country }) };
        const visited: ModelUser[] = [];
        for (let after = 0; ; after = visited.at(-1)?.id ?? 0) {
          const batch = await service.listing.after({ filters, keyword, after, size: 7 });
          visited.push(...(batch.map(represent) as ModelUser[]));
          if (batch.length < 7) break;
        }
        expect(visited).toEqual(modelFilter(users, asked));
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});
