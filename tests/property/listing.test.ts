import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transact } from '../../lib/dynamodb/index.ts';
import { ensureBase } from '../../lib/replica/internals.ts';
import { COUNTED } from '../../lib/users/counted.ts';
import type { Limits } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { changeItems } from '../../lib/users/write.ts';
import { verify } from '../../tools/verify/verify.ts';
import { ATTRIBUTES, question, userFields } from '../support/arbitraries.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { usersOf } from '../support/fake/steps.ts';
import { askCounts, countsOf, expectPage, NOTHING_WRONG } from '../support/questions.ts';
import { type MemoryService, serviceOn, type TestService } from '../support/service.ts';

/** The long run takes this many times as many sets of users. */
const TIMES = Number(process.env.TIMES ?? 1);

/** Few users have batches, deltas and bases of several parts, and merges. */
const LOW: Partial<Limits> = { batchEntries: 5, deltaCharacters: 80, partBytes: 300, mergeLeast: 6, mergeShare: 0.1 };

interface DataSet {
  created: UserFields[];
  /** Later writes: of which user, and what the user becomes. Some come after a fold. */
  later: { on: number; becomes: UserFields | undefined; folds: boolean }[];
}

/** Some users with few distinct values. */
const someUsers = (most: { created: number; later: number }): fc.Arbitrary<DataSet> =>
  fc.record({
    created: fc.array(userFields, { maxLength: most.created, size: 'max' }),
    later: fc.array(
      fc.record({ on: fc.nat(), becomes: fc.option(userFields, { nil: undefined, freq: 3 }), folds: fc.boolean() }),
      { maxLength: most.later, size: 'max' },
    ),
  });

const SETS: [name: string, data: fc.Arbitrary<DataSet>, limits: Partial<Limits>, runs: number][] = [
  ['usual limits', someUsers({ created: 150, later: 30 }), {}, 3],
  ['low limits', someUsers({ created: 60, later: 20 }), LOW, 5],
];

const some = <Value>(arbitrary: fc.Arbitrary<Value>, count: number) =>
  fc.array(arbitrary, { minLength: count, maxLength: count });

/** As a version before 3.0.0 creates users: it knows no moments of last changes. */
async function createEarlier(service: Pick<MemoryService, 'database'>, all: readonly UserFields[]): Promise<void> {
  const { database } = service;
  const nextId = createIdSource(database.runtime);
  for (const fields of all) {
    const after = { id: nextId(), version: 1, ...fields };
    const created = () =>
      transact(database, changeItems(database, { id: after.id, version: 1, before: undefined, after }));
    while (!(await created())) after.id = nextId();
  }
}

/** The properties that users are counted by. Those of attributes are arrays for some. */
const BY = [
  ...COUNTED,
  ...ATTRIBUTES,
  ...ATTRIBUTES.flatMap((name) =>
    (['day', 'week', 'month', 'year'] as const).map((each) => `${name}.${each}` as const),
  ),
];

/** Those that most users have. */
const MANY_HAVE = BY.filter((name) => /^attributes\.(?:team|then)\b/.test(name));

/** To write users takes longer than to read them, so each set gets many questions. */
const ASKING = fc.record({
  pages: some(question, 120),
  counts: some(
    fc.tuple(question, fc.array(fc.oneof(fc.constantFrom(...BY), fc.constantFrom(...MANY_HAVE)), { maxLength: 2 })),
    20,
  ),
});

describe.each(SETS)('a listing with %s', (_, data, limits, runs) => {
  test('equals the in-memory model in members, order, totals and counts, in a container that has followed all writes and in a new one', async () => {
    const property = fc.asyncProperty(data, ASKING, async ({ created, later }, { pages, counts }) => {
      const service = serviceOn.memory({ limits, clock: { random: chanceOf(created.length) } });
      const { users, fold, pass, store, database, listing: warm } = service;
      const cold = () => service.processOf((_, execute) => execute()).listing;
      // A dozen of them have the same createdAt.
      for (let i = 0; i < created.length; i += 12) {
        const some = created.slice(i, i + 12);
        await (i % 5 === 0 ? createEarlier(service, some) : users.createMany(some));
        pass(1);
      }
      await ensureBase(database);
      for (const [i, { on, becomes, folds }] of later.entries()) {
        if (folds) await fold();
        // Now and then what a base has replaced is swept.
        pass(folds && i % 3 === 0 ? 700_000 : 1);
        const present = usersOf(store);
        const id = present[on % Math.max(present.length, 1)]?.id;
        if (id !== undefined && becomes) await users.update(id, () => becomes);
        if (id !== undefined && !becomes) await users.delete(id);
        const all = usersOf(store);
        const asked = pages[i % pages.length]?.(all) ?? {};
        for (const listing of i % 4 === 0 ? [warm, cold()] : [warm]) await expectPage(listing, all, asked);
      }
      const all = usersOf(store);
      const both: TestService['listing'][] = [warm, cold()];
      const either = (i: number) => both[i % 2] ?? warm;
      for (const [i, question] of pages.entries()) await expectPage(either(i), all, question(all));
      for (const [i, [question, by]] of counts.entries()) {
        const asked = question(all);
        expect((await askCounts(either(i), asked, by)).counts, JSON.stringify(asked)).toEqual(countsOf(all, asked, by));
      }
      expect(await verify(database)).toMatchObject({ users: all.length, ...NOTHING_WRONG });
      await fold();
      expect(await verify(database)).toMatchObject({ users: all.length, ...NOTHING_WRONG });
    });
    await fc.assert(property, { numRuns: runs * TIMES, endOnFailure: true });
  });
});
