import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { people } from '../../bench/people.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import type { Sizes } from '../../lib/users/sizes.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { loadUsers } from '../../tools/local/loadUsers.ts';
import { question, sort, userFields } from '../support/arbitraries.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { usersOf } from '../support/fake/steps.ts';
import { expectAfter, expectAll, expectPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';
import { only, TINY } from '../support/tinySizes.ts';

/** The long run takes this many times as many sets of users. */
const TIMES = Number(process.env.TIMES ?? 1);
/** So many others than the known one are drawn in each run. */
const DRAWN = 2;
const QUESTIONS = 120;
const [MANY_USERS, ABOUT_MANY] = process.env.LONG ? [6_000, 1_000] : [500, QUESTIONS];

interface DataSet {
  /** Users whose statistics are built at once. */
  loaded?: UserFields[];
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

const TEXTS = ['', 'Lee', 'lee', 'LEE', 'Leeb', 'Schmidt', 'Şmidt', '李', 'a', 'Zz'];
const USUAL: { readonly [Field in keyof UserFields]: readonly NonNullable<UserFields[Field]>[] } = {
  name: ['User', 'user', 'USER 1', 'Ann'],
  email: ['a@b.de', 'A@b.de', 'z@x.org'],
  age: [0, 1, 18, 30, 99],
  firstName: TEXTS,
  lastName: TEXTS,
  country: ['DE', 'de', 'US', 'FR'],
};

/** People, of whom half have a usual value of each field, which makes long runs of equal values, and a quarter have none. */
function* unkind(seed: number): Generator<UserFields, never> {
  const chance = chanceOf(seed);
  const statuses = Array.from({ length: [3, 40, 300][seed % 3] ?? 3 }, (_, n) => `${n % 2 ? 'S' : 's'}t${n >> 1}`);
  const pick = <Value>(some: readonly Value[]): Value => some[Math.floor(chance() ** 2 * some.length)] as Value;
  for (const person of people(seed)) {
    const usual = Object.entries({ ...USUAL, status: statuses }).filter(() => chance() < 0.5);
    const fields = { ...person, ...Object.fromEntries(usual.map(([field, values]) => [field, pick<unknown>(values)])) };
    const kept = Object.entries(fields).filter(([field]) => field === 'name' || chance() < 0.75);
    yield Object.fromEntries(kept) as UserFields;
  }
  throw new Error('There are people without end');
}

const manyUsers: fc.Arbitrary<DataSet> = fc.nat().map((seed) => {
  const source = unkind(seed);
  const some = (count: number) => Array.from({ length: count }, () => source.next().value);
  const [loaded, created, written] = [some(MANY_USERS * 0.6), some(MANY_USERS * 0.4), some(160)];
  const later = written.map((fields, n) => ({
    on: n * 7_919,
    becomes: n % 4 === 0 ? undefined : fields,
    folds: n % 40 === 0,
  }));
  return { loaded, created, later };
});

/** A service with these users. A dozen of them have the same createdAt. */
async function seeded({ loaded = [], created, later }: DataSet, sizes: Partial<Sizes>) {
  const service = serviceOn.memory({ sizes, clock: { random: chanceOf(created.length) } });
  const { users, fold, pass, store } = service;
  if (loaded.length > 0) await loadUsers(service.database, loaded.values(), { users: loaded.length });
  pass(60_000);
  for (let i = 0; i < created.length; i += 12) {
    await users.createMany(created.slice(i, i + 12));
    pass(1);
  }
  for (const { on, becomes, folds } of later) {
    if (folds) await fold();
    const present = store.itemsOf('users');
    const id = Number(present[on % Math.max(present.length, 1)]?.id ?? 0);
    if (id > 0 && becomes) await users.update(id, () => becomes);
    if (id > 0 && !becomes) await users.delete(id);
    pass(1);
  }
  return { ...service, all: usersOf(store) };
}

const FEW = someUsers({ created: 60, later: 6 });

/** Lists of hundreds of users have segments, sums and nodes as those of a million have. */
const BETWEEN: Partial<Sizes> = {
  segmentUsers: 12,
  sumUsers: 100,
  nodeBytes: 300,
  nearUsers: 4,
  partUnits: 0.3,
  neighbourUsers: 2,
  skipUsers: 3,
  streamedRun: 50,
};

/** These users, some of those for tests of plans, are known to be read in every way. A set may have others. */
const SEED = 9;

interface Given {
  data: fc.Arbitrary<DataSet>;
  sizes: Partial<Sizes>;
  /** Other risks, with which the pages are asked for once more. */
  risks?: readonly Sizes['risks'][];
  plans?: readonly string[];
  seed?: number;
}

const SETS: [name: string, given: Given][] = [
  [
    'usual sizes',
    {
      data: someUsers({ created: 150, later: 30 }),
      sizes: {},
      plans: ['slice byId', 'slice part of byStatus', 'gather part of'],
    },
  ],
  ['tiny sizes', { data: FEW, sizes: TINY, plans: ['slice byId', 'slice byCountryAnd', 'walk by'] }],
  [
    'walks that are given up',
    {
      data: FEW,
      sizes: { ...only('walk', 'slice'), walkPatience: 0.001 },
      plans: ['walk byName', 'gather part of'],
    },
  ],
  ['slices and counts', { data: FEW, sizes: only('slice'), seed: 10, plans: ['slice byName', 'slice byCountry'] }],
  ['groups', { data: FEW, sizes: only('groups'), plans: ['by value'] }],
  ['usual sizes and long runs of equal values', { data: manyUsers, sizes: {} }],
  [
    'long runs of equal values, and slices and walks of them',
    { data: manyUsers, sizes: BETWEEN, risks: [{ slice: 0.05, walk: 2 }, { walk: 0.05 }] },
  ],
];

const some = <Value>(arbitrary: fc.Arbitrary<Value>, count: number) =>
  fc.array(arbitrary, { minLength: count, maxLength: count });

/** To write users takes longer than to read them, so each set gets many questions. */
const asking = (pages: number) =>
  fc.record({
    pages: some(question, pages),
    streams: some(question, 24),
    sorts: some(sort, 12),
    walks: some(question, 3),
  });

describe.each(SETS)('a listing with %s', (_, { data, sizes, risks = [], plans = [], seed = SEED }) => {
  test('equals the in-memory model in members, order and totals: its pages, its stream, and its batches by cursor', async () => {
    const taken: (string | undefined)[] = [];
    const hasPlans = plans.length > 0;
    const property = fc.asyncProperty(
      data,
      asking(hasPlans ? QUESTIONS : ABOUT_MANY),
      async (given, { pages, streams, sorts, walks }) => {
        const { listing, all, fold, database } = await seeded(given, sizes);
        const others = risks.map((own) => createUserListing({ ...database, sizes: { ...database.sizes, risks: own } }));
        for (const question of pages)
          for (const each of [listing, ...others]) taken.push((await expectPage(each, all, question(all))).plan);
        for (const question of streams) await expectAll(listing, all, question(all));
        for (const sort of sorts) await expectAll(listing, all, { sort, page: 0, size: 20 });
        for (const question of walks) {
          for (let after: number | undefined = 0; after !== undefined; )
            after = await expectAfter(listing, all, question(all), after);
        }
        await fold();
        expect(await verify(database)).toMatchObject(NOTHING_WRONG);
      },
    );
    if (hasPlans) await fc.assert(property, { numRuns: 1, seed, endOnFailure: true });
    await fc.assert(property, { numRuns: hasPlans ? DRAWN * TIMES : Math.ceil(TIMES / 10), endOnFailure: true });
    expect(plans.filter((plan) => !taken.some((branch) => branch?.includes(plan)))).toEqual([]);
  });
});
