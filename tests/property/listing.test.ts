import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPage } from '../../lib/http/collections.ts';
import { metered } from '../../lib/metering.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { pathsTo } from '../../lib/users/listing/plan.ts';
import { countAllowed, restrictionOf } from '../../lib/users/listing/restriction.ts';
import { readCounts } from '../../lib/users/statistics/counts.ts';
import { findLastNames } from '../../lib/users/statistics/lastNames.ts';
import { represent, type UserFields } from '../../lib/users/user.ts';
import { question, sort, userFields } from '../support/arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../support/model.ts';
import { counted, recount } from '../support/recount.ts';
import { createTestService, type TestService } from '../support/store.ts';

const DATA_SETS = 20;
const QUERIES_PER_DATA_SET = 110;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const filtersOf = ({ status, country }: ModelQuery) => ({ ...(status && { status }), ...(country && { country }) });

/** The page, and how it was read. */
function ask({ listing }: TestService, asked: ModelQuery) {
  const { keyword, sort, page: number, size } = asked;
  const request = { filters: filtersOf(asked), keyword, order: totalOrder(sort), number, size };
  return metered(async (meter) => ({ page: toPage(await listing.page(request), request), meter }));
}

/** A write after the first ones: on which user, and what becomes of it. */
const laterWrite = fc.record({ on: fc.nat(), becomes: fc.option(userFields, { nil: undefined, freq: 3 }) });

const dataSet = fc.record({
  first: fc.array(userFields, { maxLength: 150, size: 'max' }),
  later: fc.array(laterWrite, { maxLength: 30, size: 'max' }),
});

interface DataSet {
  first: UserFields[];
  later: { on: number; becomes: UserFields | undefined }[];
}

/** A service with these users and the model of it. The clock is slow: several users share a createdAt. */
async function seeded({ first, later }: DataSet) {
  let ticks = 0;
  const service = await createTestService({ now: () => 1_790_000_000_000 + Math.floor(ticks++ / 3) });
  const users = (await service.users.createMany(first)).map(represent) as ModelUser[];
  for (const { on, becomes } of later) {
    const index = on % Math.max(users.length, 1);
    const user = users[index];
    if (user && becomes) users[index] = represent(await service.users.update(user.id, () => becomes)) as ModelUser;
    if (user && !becomes) {
      await service.users.delete(user.id);
      users.splice(index, 1);
    }
  }
  return { service, users };
}

describe('a listing', () => {
  test('has the members, order and totals of the in-memory model, whatever is asked', async () => {
    const plans: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        dataSet,
        fc.array(question, { minLength: QUERIES_PER_DATA_SET, maxLength: QUERIES_PER_DATA_SET }),
        async (data, questions) => {
          const { service, users } = await seeded(data);
          expect(await counted(service)).toEqual(await recount(service));
          for (const asked of questions.map((question) => question(users))) {
            const { page, meter } = await ask(service, asked);
            expect(page).toEqual(modelPage(users, asked));
            if (meter.plan !== undefined) plans.push(meter.plan);
          }
        },
      ),
      { numRuns: DATA_SETS, endOnFailure: true },
    );
    const branches = [
      ...['walk byId', 'walk byName', 'walk byEmail', 'walk byAge', 'walk byFirstName', 'walk byLastName'],
      ...['walk byStatus', 'walk byCountry', 'walk byStatusAndCountry', 'walk a name in byLastName'],
      ...['gather byStatus', 'gather byCountry', 'gather byStatusAndCountry', 'gather names in byLastName'],
      ...['by status:', 'by country:', 'by lastName:', 'from the end'],
    ];
    const taken = branches.map((branch) => [branch, plans.filter((plan) => plan.includes(branch)).length] as const);
    expect(taken.filter(([, times]) => times === 0)).toEqual([]);
  }, 120_000);

  test('is the same by every access path, cheap or not', async () => {
    await fc.assert(
      fc.asyncProperty(dataSet, fc.array(question, { minLength: 40, maxLength: 40 }), async (data, questions) => {
        const { service, users } = await seeded(data);
        const cells = await readCounts(service.dynamo, service.tables);
        for (const asked of questions.map((question) => question(users))) {
          const { keyword, size, page, sort } = asked;
          const lastNames = keyword ? await findLastNames(service.dynamo, service.tables, keyword) : undefined;
          const restriction = restrictionOf(filtersOf(asked), lastNames);
          const window = { start: page * size, end: Math.min((page + 1) * size, countAllowed(restriction, cells)) };
          if (window.start >= window.end) continue;
          for (const path of pathsTo({ restriction, order: totalOrder(sort), window, cells })) {
            const read = (await path.read(service)).map(represent);
            expect({ path: path.description, read }).toEqual({
              path: path.description,
              read: modelPage(users, asked).content,
            });
          }
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  }, 120_000);

  test('has the same offset by every access path when its users are in separate zones', async () => {
    const service = await createTestService();
    const young = Array.from({ length: 60 }, (_, n) => ({
      name: 'x',
      status: 'a',
      age: (n < 30 ? 20 : 40) + (n % 10),
    }));
    const old = Array.from({ length: 20 }, () => ({ name: 'y', status: 'b', age: 70 }));
    const users = (await service.users.createMany([...young, ...old])).map(represent) as ModelUser[];
    const cells = await readCounts(service.dynamo, service.tables);
    for (const direction of ['asc', 'desc'] as const) {
      for (const page of [0, 1, 2]) {
        const sort = [{ property: 'age' as const, direction }];
        const listing = { restriction: restrictionOf({ status: 'a' }), order: totalOrder(sort), cells };
        for (const path of pathsTo({ ...listing, window: { start: page * 20, end: page * 20 + 20 } })) {
          const expected = modelPage(users, { status: 'a', sort, page, size: 20 }).content;
          expect((await path.read(service)).map(represent)).toEqual(expected);
        }
      }
    }
  });

  test('of all users is the whole set in order', async () => {
    await fc.assert(
      fc.asyncProperty(dataSet, fc.array(sort, { minLength: 20, maxLength: 20 }), async (data, sorts) => {
        const { service, users } = await seeded(data);
        for (const keys of sorts) {
          const all = await service.listing.all(totalOrder(keys), 1_000);
          expect((await collect(all.users)).map(represent)).toEqual(modelSort(users, keys));
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  }, 120_000);

  test('by cursor visits every match once, by id', async () => {
    await fc.assert(
      fc.asyncProperty(dataSet, question, async (data, question) => {
        const { service, users } = await seeded(data);
        const asked = question(users);
        const visited: ModelUser[] = [];
        for (let after = 0; ; after = visited.at(-1)?.id ?? 0) {
          const batch = await service.listing.after({
            filters: filtersOf(asked),
            keyword: asked.keyword,
            after,
            size: 7,
          });
          visited.push(...(batch.map(represent) as ModelUser[]));
          if (batch.length < 7) break;
        }
        expect(visited).toEqual(modelFilter(modelSort(users, []), asked));
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);
});
