import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { createUserListing, type UserStream } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { User, UserFields } from '../../lib/users/user.ts';
import { Scheduler } from '../support/fake/scheduler.ts';
import { FakeStore, TABLES } from '../support/fake/store.ts';
import { askAfter } from '../support/questions.ts';

/** `npm run test:long` has more. */
const USERS = process.env.LONG ? 10_000 : 600;
const WRITES = process.env.LONG ? 500 : 120;
const LAG_MS = 1_500;

function* people(): Generator<UserFields, never> {
  for (let i = 0; ; i++) yield { name: `n${(i * 7_919) % 10_007}`, status: i % 2 ? 'on' : 'off' };
}

let scheduler: Scheduler;
let store: FakeStore;
/** The ids of the users at the start, and of the ones whom somebody has written since. */
let first: number[];
let touched: Set<number>;

const databaseOf = (process: string): Database => ({
  dynamo: store.client({
    async around(_, execute) {
      await scheduler.turn(process);
      return execute();
    },
    pause: async () => (scheduler.random() < 0.01 ? scheduler.turn(process) : undefined),
  }),
  tables: TABLES,
  runtime: scheduler.runtimeOf(process),
  sizes: SIZES,
});

beforeEach(async () => {
  scheduler = new Scheduler(20_261_121);
  store = new FakeStore({ now: scheduler.now, lag: () => scheduler.random() * LAG_MS, itemsPerPage: 200 });
  touched = new Set();
  const runtime = { ...scheduler.runtimeOf('load'), sleep: async () => {} };
  await loadUsers({ ...databaseOf('load'), dynamo: store.client(), runtime }, people(), { users: USERS });
  scheduler.time += 60_000;
  first = store.itemsOf('users').map(({ id }) => Number(id));
});

/** Walks while users are created, deleted and renamed, and while that is folded. */
async function during(walk: (database: Database) => Promise<User[] | { id: number }[]>): Promise<number[]> {
  let seen: number[] = [];
  let busy = 2;
  scheduler.start('walk', async () => {
    seen = (await walk(databaseOf('walk'))).map(({ id }) => id);
    busy--;
  });
  scheduler.start('write', async () => {
    const users = createUserStore(databaseOf('write'));
    for (let i = 0; i < WRITES; i++) {
      await scheduler.turn('write', scheduler.random() * 40);
      const id = first[scheduler.int(first.length)] ?? 0;
      if (i % 2 === 0) await users.create({ name: `n${scheduler.int(10_007)}` });
      else if (!touched.has(id)) {
        touched.add(id);
        if (i % 4 === 1) await users.delete(id);
        else await users.update(id, () => ({ name: `n${scheduler.int(10_007)}` }));
      }
    }
    busy--;
  });
  scheduler.start('fold', async () => {
    const fold = createFold(databaseOf('fold'), { restMs: 0 });
    while (busy > 0) {
      await fold.run(1_000);
      await scheduler.turn('fold', 300);
    }
  });
  await scheduler.run(1_000_000);
  expect(touched.size).toBeGreaterThan(WRITES / 3);
  return seen;
}

/** Expects that every user whom nobody wrote was met exactly once. */
function checkUntouched(seen: readonly number[]): void {
  const times = new Map<number, number>();
  for (const id of seen) times.set(id, (times.get(id) ?? 0) + 1);
  const wrong = first.filter((id) => !touched.has(id) && times.get(id) !== 1);
  expect(wrong.map((id) => [id, times.get(id) ?? 0])).toEqual([]);
}

const isAscending = (ids: readonly number[]) => ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? 0));

async function stream(database: Database, sort: Parameters<typeof totalOrder>[0]): Promise<User[]> {
  const { users } = (await createUserListing(database).all({ filters: {}, order: totalOrder(sort) })) as UserStream;
  const all: User[] = [];
  for await (const user of users) all.push(user);
  return all;
}

describe('while others write', { timeout: 600_000 }, () => {
  test('a walk by cursor meets every user whom nobody writes exactly once, by id', async () => {
    const seen = await during(async (database) => {
      const listing = createUserListing(database);
      const all: { id: number }[] = [];
      for (;;) {
        const { users } = await askAfter(listing, {}, all.at(-1)?.id ?? 0, 20);
        all.push(...users);
        if (users.length < 20) return all;
      }
    });
    checkUntouched(seen);
    expect(isAscending(seen)).toBe(true);
  });

  test('a stream by id has every user whom nobody writes exactly once, by id', async () => {
    const seen = await during((database) => stream(database, []));
    checkUntouched(seen);
    expect(isAscending(seen)).toBe(true);
  });

  test('a stream by name has every user whom nobody writes exactly once', async () => {
    const seen = await during((database) => stream(database, [{ property: 'name', direction: 'desc' }]));
    checkUntouched(seen);
  });
});
