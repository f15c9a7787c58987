import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES, type Sizes } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { type Question, question, sort, userFields } from '../support/arbitraries.ts';
import { createMany } from '../support/createMany.ts';
import { foldAll, settled, usersOf } from '../support/fake/steps.ts';
import { type Call, FakeStore, TABLES } from '../support/fake/store.ts';
import { expectAfter, expectAll, expectPage, NOTHING_WRONG } from '../support/questions.ts';
import { only, TINY } from '../support/tinySizes.ts';

const LONG = Number(process.env.TIMES ?? 1);

/** The longest delay of an index. Entries leave the journal after 2,000 ms. */
const MAX_LAG_MS = 1_900;

interface Write {
  on: number;
  /** Undefined: the user is deleted. */
  becomes: UserFields | undefined;
}

const write: fc.Arbitrary<Write> = fc.record({
  on: fc.nat(),
  becomes: fc.option(userFields, { nil: undefined, freq: 3 }),
});

/** Some writes, and a fold that dies at one of its calls, before or after the call is carried out. */
const round = fc.record({
  created: fc.array(userFields, { maxLength: 20, size: 'max' }),
  writes: fc.array(write, { maxLength: 12, size: 'max' }),
  dies: fc.record({ at: fc.nat({ max: 80 }), isDone: fc.boolean() }),
});

const history = fc.record({
  rounds: fc.array(round, { minLength: 1, maxLength: 3, size: 'max' }),
  lags: fc.array(fc.nat({ max: MAX_LAG_MS }), { minLength: USERS_INDEXES.length, maxLength: USERS_INDEXES.length }),
  questions: fc.array(question, { minLength: 40, maxLength: 40 }),
  sorts: fc.array(sort, { minLength: 5, maxLength: 5 }),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** Counts over all runs, so that a test can check that enough was asked. */
interface Asked {
  /** Writes, folds and questions. */
  commands: number;
  /** Questions with a range of ages, moments or texts. */
  ranges: number;
  plans: Set<string>;
}

class Death extends Error {}

/** Carries out a history step by step, and asks at each step. The clock is slow, so several users have the same createdAt. */
function follow({ lags, questions, sorts }: Pick<History, 'lags' | 'questions' | 'sorts'>, sizes: Sizes, asked: Asked) {
  let time = 1_790_000_000_000;
  const lagOf = new Map(USERS_INDEXES.map(({ name }, i) => [name, lags[i] ?? 0]));
  const store = new FakeStore({ now: () => time, lag: (index) => lagOf.get(index) ?? 0, itemsPerPage: 40 });
  let ticks = 0;
  const runtime = {
    now: () => time,
    monotonic: () => time,
    random: () => {
      ticks += 7;
      return (ticks % 100) / 100;
    },
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const database: Database = { dynamo: store.client(), tables: TABLES, runtime, sizes };
  const listing = createUserListing(database);
  const truth = () => usersOf(store);
  const tags = new Map<string, number>();
  const next = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;

  async function ask(make: Question): Promise<void> {
    const users = truth();
    const query = make(users);
    const { tag, plan } = await expectPage(listing, users, query);
    expect(tags.get(tag) ?? store.commits).toBe(store.commits);
    tags.set(tag, store.commits);
    expect(tags.size).toBeLessThanOrEqual(store.commits + 1);
    asked.commands++;
    if (Object.keys(query).some((name) => name.includes('.'))) asked.ranges++;
    for (const part of (plan ?? '').split(', ')) asked.plans.add(part);
  }

  let steps = 0;
  /** Long names have hundreds of nodes, so that a fold has many calls. Then not every call is checked. */
  async function check(step = 0): Promise<void> {
    if (step > 12 && step % 9 !== 0) return;
    steps++;
    for (let i = 0; i < 6; i++) await ask(next(questions, 6 * steps + i));
    if (steps % 4 > 0) return;
    const users = truth();
    asked.commands += 2;
    await expectAll(listing, users, { sort: next(sorts, steps >> 2), page: 0, size: 20 });
    await expectAfter(listing, users, next(questions, steps)(users), next(users, steps)?.id ?? 0);
  }

  /** A fold in another process, which may die. Everything is checked before each of its calls. */
  async function fold(dies?: { at: number; isDone: boolean }): Promise<void> {
    asked.commands++;
    let calls = 0;
    async function around(_: Call, execute: () => Promise<unknown>): Promise<unknown> {
      await check(calls);
      time += 3;
      const isLast = calls++ === dies?.at;
      if (isLast && !dies?.isDone) throw new Death();
      const response = await execute();
      if (isLast) throw new Death();
      return response;
    }
    const dynamo = store.client({ around, pause: async () => {} });
    await createFold({ ...database, dynamo }, { restMs: 0 })
      .run(30_000)
      .catch((error: unknown) => {
        if (!(error instanceof Death)) throw error;
      });
    // Calls that the dead process had begun in parallel end, too.
    await settled();
    await check();
  }

  const users = createUserStore(database);
  return {
    async change({ created, writes }: History['rounds'][number]): Promise<void> {
      asked.commands += created.length + writes.length;
      if (created.length > 0) await createMany(database, created);
      for (const { on, becomes } of writes) {
        const someone = next(truth(), on)?.id;
        if (someone === undefined) continue;
        if (becomes) await users.update(someone, () => becomes);
        else await users.delete(someone);
        time += on % 300;
      }
      await check();
    },
    fold,
    verify: async () => {
      expect(await foldAll(database)).toBe(0);
      return verify(database);
    },
  };
}

const SEED = 20_261_121;

describe.each([
  ['usual', SIZES, 3, ['slice', 'gather']],
  ['tiny', TINY, 2, ['slice', 'walk', 'gather']],
  ['counting', only('slice'), 1, ['slice']],
  ['grouping', only('groups'), 1, ['by value']],
] as const)('with %s sizes', (_, sizes, dataSets, kinds) => {
  test(
    'every list is exact before a fold, between its calls, and after it died at one of them',
    async () => {
      const asked: Asked = { commands: 0, ranges: 0, plans: new Set() };
      await fc.assert(
        fc.asyncProperty(history, async ({ rounds, ...asking }) => {
          const { change, fold, verify } = follow(asking, sizes, asked);
          for (const each of rounds) {
            await change(each);
            await fold(each.dies);
          }
          await fold();
          expect(await verify()).toMatchObject(NOTHING_WRONG);
        }),
        // There are few histories, so each run has the same ones, which are known to ask enough. A long run draws others.
        { numRuns: LONG * dataSets, endOnFailure: true, ...(LONG === 1 && { seed: SEED }) },
      );
      expect(asked.commands).toBeGreaterThan(200);
      expect(asked.ranges).toBeGreaterThan(30);
      const taken = [...asked.plans];
      expect(kinds.filter((kind) => !taken.some((plan) => plan.startsWith(kind)))).toEqual([]);
    },
    LONG * 900_000,
  );
});
