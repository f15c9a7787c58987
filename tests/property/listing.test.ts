import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sizes } from '../../lib/users/sizes.ts';
import { represent, type UserFields } from '../../lib/users/user.ts';
import { type Question, question, sort, userFields } from '../support/arbitraries.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../support/model.ts';
import { askAfter, askAll, askPage } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';
import { only, TINY } from '../support/tinySizes.ts';

/** A later write: of which user, and what the user becomes. Or a fold. */
const laterStep = fc.record({
  on: fc.nat(),
  becomes: fc.option(userFields, { nil: undefined, freq: 3 }),
  folds: fc.boolean(),
});

const dataSet = (mostUsers: number, mostSteps: number) =>
  fc.record({
    first: fc.array(userFields, { maxLength: mostUsers, size: 'max' }),
    later: fc.array(laterStep, { maxLength: mostSteps, size: 'max' }),
  });

interface DataSet {
  first: UserFields[];
  later: { on: number; becomes: UserFields | undefined; folds: boolean }[];
}

/** A service with these users, and its model. The clock is slow, so a dozen users have the same createdAt. */
async function seeded({ first, later }: DataSet, sizes: Partial<Sizes> = {}) {
  let ticks = 0;
  const clock = { now: () => 1_790_000_000_000 + Math.floor(ticks++ / 24), random: () => ((ticks++ * 7) % 100) / 100 };
  const service = serviceOn.memory({ sizes, clock });
  const users = (await service.users.createMany(first)).map(represent) as ModelUser[];
  for (const { on, becomes, folds } of later) {
    const index = on % Math.max(users.length, 1);
    const user = users[index];
    if (folds) await service.fold();
    if (user && becomes) users[index] = represent(await service.users.update(user.id, () => becomes)) as ModelUser;
    if (user && !becomes) {
      await service.users.delete(user.id);
      users.splice(index, 1);
    }
  }
  return { service, users };
}

type Seeded = Awaited<ReturnType<typeof seeded>>;

/** The long run takes this many times as many sets of users. */
const TIMES = Number(process.env.TIMES ?? 1);

/** These sets are known to be read in every way. */
const SEED = 13;
/** So many others are drawn in each run. */
const DRAWN = 5;

const SETS: [name: string, given: { sizes: Partial<Sizes>; data: ReturnType<typeof dataSet>; plans: string[] }][] = [
  [
    'usual sizes',
    { sizes: {}, data: dataSet(150, 30), plans: ['slice byId', 'slice part of byStatus', 'gather part of'] },
  ],
  ['tiny sizes', { sizes: TINY, data: dataSet(60, 6), plans: ['slice byId', 'slice byCountryAnd', 'walk byName'] }],
  [
    'walks that are given up',
    {
      sizes: { ...only('walk', 'slice'), walkPatience: 0.001 },
      data: dataSet(60, 6),
      plans: ['walk byName', 'gather part of'],
    },
  ],
  ['slices and counts', { sizes: only('slice'), data: dataSet(60, 6), plans: ['slice byName', 'slice byCountry'] }],
  ['groups', { sizes: only('groups'), data: dataSet(60, 6), plans: ['by value'] }],
  ['names', { sizes: only('names', 'unread'), data: dataSet(60, 6), plans: ['names part of byLastName'] }],
];

const many = <Value>(arbitrary: fc.Arbitrary<Value>, count: number) =>
  fc.array(arbitrary, { minLength: count, maxLength: count });

async function checkPages({ service, users }: Seeded, questions: Question[], plans: string[]): Promise<void> {
  for (const asked of questions.map((question) => question(users))) {
    const { page, plan } = await askPage(service.listing, asked);
    expect(page, `${JSON.stringify(asked)} by ${plan}`).toEqual(modelPage(users, asked));
    if (plan !== undefined) plans.push(plan);
  }
}

async function checkAll({ service, users }: Seeded, keys: ModelQuery['sort'], asked?: ModelQuery): Promise<void> {
  const all = await askAll(service.listing, keys, asked);
  expect(all.users, JSON.stringify({ keys, asked })).toEqual(modelFilter(modelSort(users, keys), asked ?? {}));
  expect(all.total).toBe(all.users.length);
}

async function checkCursor({ service, users }: Seeded, asked: ModelQuery): Promise<void> {
  const visited: ModelUser[] = [];
  for (let after = 0; ; after = visited.at(-1)?.id ?? 0) {
    const { users: batch } = await askAfter(service.listing, asked, after, 7);
    visited.push(...batch);
    if (batch.length < 7) break;
  }
  expect(visited).toEqual(modelFilter(modelSort(users, []), asked));
}

/** To write a set of users takes longer than to read it, so each set gets many questions. */
const asking = fc.record({
  pages: many(question, 120),
  sorts: many(sort, 12),
  streams: many(question, 24),
  walks: many(question, 3),
});

describe.each(SETS)('a listing with %s', (_, { sizes, data: dataSets, ...given }) => {
  test('equals the in-memory model in members, order and totals: its pages, its stream, and its batches by cursor', {
    timeout: TIMES * 900_000,
  }, async () => {
    const plans: string[] = [];
    const property = fc.asyncProperty(dataSets, asking, async (data, { pages, sorts, streams, walks }) => {
      const given = await seeded(data, sizes);
      await checkPages(given, pages, plans);
      for (const keys of sorts) await checkAll(given, keys);
      for (const question of streams) {
        const asked = question(given.users);
        await checkAll(given, asked.sort, asked);
      }
      for (const question of walks) await checkCursor(given, question(given.users));
    });
    await fc.assert(property, { numRuns: 1, seed: SEED, endOnFailure: true });
    await fc.assert(property, { numRuns: DRAWN * TIMES, endOnFailure: true });
    const taken = given.plans.map((branch) => [branch, plans.filter((plan) => plan.includes(branch)).length] as const);
    expect(taken.filter(([, times]) => times === 0)).toEqual([]);
  });
});
