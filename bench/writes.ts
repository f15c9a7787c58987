import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { createUserStore } from '../lib/users/store.ts';
import type { UserFields } from '../lib/users/user.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { allUnits, type Cost, costOf, summarize, writeUnits } from './figures.ts';
import { people } from './people.ts';
import type { Figures } from './print.ts';
import { pick, SAMPLE, SEED, times } from './sample.ts';

const USERS = 5;

/** Users who are like the users of the store, and not in it. */
export function newcomers(): () => UserFields {
  const source = people(SEED + 1);
  return () => source.next().value;
}

interface Step {
  title: 'create' | 'patch of the age' | 'patch of the country' | 'delete';
  run(user: { id?: number; fields: UserFields }): Promise<unknown>;
}

/** The kinds of writes, which come one after another for the same user. */
const stepsOf = (users: ReturnType<typeof createUserStore>): Step[] => [
  {
    title: 'create',
    run: async (user) => {
      user.id = (await users.create(user.fields)).id;
    },
  },
  {
    title: 'patch of the age',
    run: ({ id = 0 }) => users.update(id, (now) => ({ ...now, age: (now.age ?? 0) + 1 })),
  },
  {
    title: 'patch of the country',
    run: ({ id = 0 }) => users.update(id, (now) => ({ ...now, country: pick(SAMPLE.countries.slice(1)) })),
  },
  { title: 'delete', run: ({ id = 0 }) => users.delete(id) },
];

/** Measures what each write costs at once, and what the fold of this write alone costs later, in read and write units. */
export async function measureWrites(database: Database): Promise<Figures> {
  const draw = newcomers();
  const fold = createFold(database, FOLD_AT_ONCE);
  const steps = stepsOf(createUserStore(database)).map((step) => ({ step, atOnce: [] as Cost[], later: [] as Cost[] }));
  for (const user of times(USERS, () => ({ fields: { ...draw(), lastName: SAMPLE.commonLastName } }))) {
    for (const { step, atOnce, later } of steps) {
      atOnce.push(await costOf(writeUnits, () => step.run(user)));
      later.push(await costOf(allUnits, () => fold.run(UNTIL_ALL_IS_FOLDED)));
    }
  }
  return steps.flatMap(
    ({ step: { title }, atOnce, later }): Figures => [
      [`${title}, at once`, summarize(atOnce)],
      [`${title}, later by the fold, alone`, summarize(later)],
    ],
  );
}
