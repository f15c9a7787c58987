import { expect, test } from 'vitest';
import { ServiceError } from '../../lib/errors.ts';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { generationOf } from '../../lib/users/tree/tree.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { toUser } from '../../lib/users/userItem.ts';
import { checkCounts } from '../support/fake/counts.ts';
import { Scheduler } from '../support/fake/scheduler.ts';
import { AT_ONCE, usersOf } from '../support/fake/steps.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';
import { askNames, NOTHING_WRONG } from '../support/questions.ts';

/** `npm run test:long` tries more. */
const SCHEDULES = process.env.LONG ? 500 : 12;
const FIRST_SEED = Number(process.env.SEED ?? 1);

const TINY = { ...SIZES, nodeBytes: 60, segmentUsers: 3, sumUsers: 6, nearUsers: 1 };

type Users = ReturnType<typeof createUserStore>;

/** What a process of an interleaving works with. */
interface Process {
  database: Database;
  users: Users;
  /** The id of a user who exists at the start. */
  id: number;
}

interface Interleaving {
  people: UserFields[];
  /** Nothing is folded at the start. Otherwise that is random. */
  isFresh?: boolean;
  /** What runs at the same time, together with two folds. */
  work: ((process: Process) => Promise<unknown>)[];
  /** @throws when the outcome is one that no order of the work can have */
  check: (results: unknown[], store: FakeStore, id: number) => void;
}

async function run({ people, isFresh, work, check }: Interleaving, seed: number): Promise<void> {
  const scheduler = new Scheduler(seed);
  const store = new FakeStore({ now: scheduler.now, itemsPerPage: 5 });
  const processOf = (process: string): Omit<Process, 'id'> => {
    const dynamo = store.client({
      async around(_, execute) {
        // Some processes freeze for so long that the writes of others are folded in the meantime.
        await scheduler.turn(process, scheduler.random() < 0.05 ? 200 : 0);
        return execute();
      },
      pause: async () => (scheduler.random() < 0.3 ? scheduler.turn(process) : undefined),
    });
    const database = { dynamo, tables: TABLES, runtime: scheduler.runtimeOf(process), sizes: TINY };
    return { database, users: createUserStore(database) };
  };
  const direct = { ...processOf('first').database, dynamo: store.client() };
  const [first] = await createUserStore(direct).createMany(people);
  const id = first?.id ?? 0;
  // A fold at the start, so that there are nodes.
  if (!isFresh && scheduler.random() < 0.7) {
    await createFold({ ...direct, runtime: { ...direct.runtime, sleep: async () => {} } }, AT_ONCE).run(60_000);
  }
  let changes = 0;
  store.onChange = () => {
    if (++changes % 5 === 0) checkCounts(store);
  };

  const results: unknown[] = work.map(() => undefined);
  let busy = work.length;
  for (const [i, each] of work.entries()) {
    scheduler.start(`work${i}`, async () => {
      results[i] = await each({ ...processOf(`work${i}`), id }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.status < 500) return error.status;
        throw error;
      });
      busy--;
    });
  }
  for (const process of ['fold0', 'fold1']) {
    scheduler.start(process, async () => {
      const { database } = processOf(process);
      const fold = createFold(database, { minimumAgeMs: 10, restMs: 0, historyDays: 7 });
      do await fold.run(1_000);
      while (busy > 0);
    });
  }
  await scheduler.run();
  checkCounts(store);
  check(results, store, id);
}

/** A write of a user: the fields after it, or undefined if it deletes the user. */
type Write = (fields: UserFields) => UserFields | undefined;

const put =
  (fields: UserFields): Write =>
  () =>
    fields;
const patch =
  (fields: Partial<UserFields>): Write =>
  (before) => ({ ...before, ...fields });
const remove: Write = () => undefined;

const fieldsIn = (user: object): UserFields => {
  const { id: _, version: __, createdAt: ___, ...fields } = user as Record<string, unknown>;
  return fields as unknown as UserFields;
};

const carriedOut =
  (write: Write) =>
  async ({ users, id }: Process) => {
    if (write === remove) await users.delete(id);
    else return fieldsIn(await users.update(id, (user) => write(fieldsIn(user)) as UserFields));
  };

const ANN: UserFields = { name: 'Ann', lastName: 'abab', status: 'on', country: 'DE' };

const sorted = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Two writes of the same user. Their outcome must be the outcome of one of the two orders. */
function writes(a: Write, b: Write): Interleaving {
  const after = (write: Write, before: UserFields | undefined) =>
    before ? { response: write(before), end: write(before) } : { response: 404, end: undefined };
  const inOrder = (first: Write, second: Write) => {
    const { response, end } = after(first, ANN);
    return { responses: [response, after(second, end).response], end: after(second, end).end };
  };
  const [ab, ba] = [inOrder(a, b), inOrder(b, a)];
  const allowed = [
    [...ab.responses, ab.end],
    [...ba.responses.toReversed(), ba.end],
  ].map((outcome) => JSON.stringify(outcome.map(sorted)));
  return {
    people: [ANN, { name: 'Bea', lastName: 'ab' }],
    work: [carriedOut(a), carriedOut(b)],
    check(results, store, id) {
      const item = store.itemsOf('users').find((each) => each.id === id);
      const end = item && fieldsIn(toUser(item));
      const outcome = JSON.stringify([...results, end].map(sorted));
      if (!allowed.includes(outcome)) throw new Error(`${outcome} is none of ${allowed.join(' ')}`);
    },
  };
}

const lastNames = (...names: string[]): UserFields[] =>
  names.map((lastName) => ({ name: 'A', lastName, status: 'on' }));

const createTwo = async ({ users }: Process) => {
  const one = await users.create({ name: 'New', lastName: 'abab' });
  const two = await users.create({ name: 'New', lastName: 'abab' });
  return [one.id, two.id];
};

const INTERLEAVINGS: [string, Interleaving][] = [
  ['put and put', writes(put({ name: 'B', lastName: 'b' }), put({ name: 'C', lastName: 'ab' }))],
  ['patch and patch', writes(patch({ status: 'off' }), patch({ country: 'FR', lastName: 'ba' }))],
  ['put and patch', writes(put({ name: 'B', lastName: 'b' }), patch({ status: 'off' }))],
  ['put and delete', writes(put({ name: 'B', lastName: 'b' }), remove)],
  ['delete and delete', writes(remove, remove)],
  [
    'create and create of one last name',
    {
      people: lastNames('abab', 'ba'),
      work: [createTwo, createTwo, createOnce, createOnce],
      check(results, store) {
        const ids = usersOf(store).map(({ id }) => id);
        expect(ids.length).toBe(7);
        expect(ids).toEqual(expect.arrayContaining((results.slice(0, 2) as number[][]).flat()));
        expect(results[2]).toEqual(results[3]);
      },
    },
  ],
  [
    'split and read',
    {
      people: lastNames('baba', 'babb', 'babc', 'babd', 'babe', 'babf', 'babg', 'babh'),
      isFresh: true,
      work: [readThrice, readThrice, ({ users }) => users.update(0, () => ANN)],
      check: ([one, two, three], _, id) => {
        expect([one, two, three]).toEqual([[8, 8, 8], [8, 8, 8], 404]);
        expect(id).toBeGreaterThan(0);
      },
    },
  ],
  [
    'rebuild, read and write',
    {
      people: lastNames('ab', 'aab', 'aaab', 'b', 'ba', 'cab', 'bab', 'babb'),
      work: [
        ({ database }) => rebuild(database),
        ({ database }) => rebuild(database),
        createTwo,
        readThrice,
        ({ users, id }) => users.update(id, () => ANN),
      ],
      check([one, two, , totals], store) {
        // Of two rebuilds at the same time, one may be refused. The next one deletes what it leaves.
        expect([one, two]).toContain('rebuilt');
        for (const total of totals as number[]) expect([2, 3, 4, 5]).toContain(total);
        const generations = store.itemsOf('directory').flatMap(({ pk }) => generationOf(String(pk)) ?? []);
        expect(new Set(generations).size).toBeLessThanOrEqual(3);
      },
    },
  ],
  [
    'rebuild and write',
    {
      people: lastNames('ab', 'aab', 'aaab', 'b', 'ba', 'cab'),
      work: [
        ({ database }) => verify(database, { repair: true }),
        createTwo,
        ({ users, id }) => users.delete(id),
        ({ users, id }) => users.update(id, () => ANN),
      ],
      check([report]) {
        expect(report).toMatchObject({ ...NOTHING_WRONG, repaired: false });
      },
    },
  ],
];

/** Builds all statistics again. A repair would do nothing, as nothing is wrong. */
const rebuild = (database: Database) =>
  verify(database, { always: true, keepOldMs: 1_000 }).then(
    () => 'rebuilt',
    (error: unknown) => {
      if (error instanceof ServiceError && error.status === 503) return 'refused';
      throw error;
    },
  );

function createOnce({ users }: Process) {
  return users.createOnce({ key: 'k', fields: ANN }).then(({ user }) => user);
}

/** Reads while folds split nodes and segments. */
async function readThrice({ database }: Process): Promise<number[]> {
  const totals: number[] = [];
  for (let i = 0; i < 3; i++) {
    await database.runtime.sleep(20);
    totals.push((await askNames(createUserListing(database), { keyword: 'bab' })).total);
  }
  return totals;
}

test.each(INTERLEAVINGS)(
  '%s have an outcome as if one came after the other, in whatever order their calls are carried out',
  async (_, interleaving) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
      await run(interleaving, seed).catch((error: Error) => {
        throw new Error(`SEED=${seed}: ${error.message}`, { cause: error });
      });
    }
  },
);
