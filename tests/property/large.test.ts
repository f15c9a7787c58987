import fc from 'fast-check';
import { expect, test } from 'vitest';
import { people } from '../../lib/tooling/local/people.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import type { Sizes } from '../../lib/users/sizes.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { question } from '../support/arbitraries.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { usersOf } from '../support/fake/steps.ts';
import { modelFilter, modelPage, modelSort } from '../support/model.ts';
import { askAll, askPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run test:long` has more users, and asks more. */
const [USERS, QUESTIONS] = process.env.LONG ? [6_000, 6_000] : [500, 200];
/** A failure shows it. */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));

/** Lists of hundreds of users have segments, sums and nodes as those of a million have. */
const BETWEEN: Partial<Sizes> = {
  segmentUsers: 12,
  sumUsers: 100,
  nodeBytes: 300,
  nearUsers: 4,
  neighbourUsers: 2,
  skipUsers: 3,
  recentBytes: 3_000,
  streamedRun: 50,
};

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
function* unkind(seed: number, chance: () => number): Generator<UserFields, never> {
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

test.each<[string, Partial<Sizes>]>([
  ['a stage', {}],
  ['a stage of a million', BETWEEN],
  ['a stage of a million, whose plans are slices', { ...BETWEEN, risks: { slice: 0.05, walk: 2 } }],
  ['a stage of a million, whose plans are walks', { ...BETWEEN, risks: { walk: 0.05 } }],
])(
  'pages among many users with long runs of equal values equal the in-memory model, with the sizes of %s',
  async (_, sizes) => {
    const chance = chanceOf(SEED);
    const { store, database, users, fold, pass } = serviceOn.memory({ sizes });
    const source = unkind(SEED, chance);
    const some = (count: number) => Array.from({ length: count }, () => source.next().value);
    await loadUsers(database, source, { users: USERS * 0.6 });
    pass(60_000);
    for (let turn = 0; turn < 4; turn++) {
      await users.createMany(some(USERS * 0.1));
      await fold();
      const known = usersOf(store);
      for (let n = 0; n < 40; n++) {
        const { id = 0 } = known.splice(Math.floor(chance() * known.length), 1)[0] ?? {};
        if (n % 4 === 0) await users.delete(id);
        else await users.update(id, () => source.next().value);
      }
    }
    await users.createMany(some(25));
    const all = usersOf(store);
    const listing = createUserListing(database);
    for (const [n, ask] of fc.sample(question, { numRuns: QUESTIONS, seed: SEED }).entries()) {
      const asked = ask(all);
      const { page, plan } = await askPage(listing, asked);
      expect(page, `${JSON.stringify(asked)} by ${plan}, SEED=${SEED}`).toEqual(modelPage(all, asked));
      if (n % 25 > 0) continue;
      const { users: streamed } = await askAll(listing, asked.sort, asked);
      expect(streamed, `${JSON.stringify(asked)}, SEED=${SEED}`).toEqual(
        modelFilter(modelSort(all, asked.sort), asked),
      );
    }
    await fold();
    expect(await verify(database), `SEED=${SEED}`).toMatchObject(NOTHING_WRONG);
  },
  900_000,
);
