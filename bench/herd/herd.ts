/**
 * Fifty new containers after a deployment, beside a hundred creates a second and a merge: the code of the service, on a store that throttles,
 * by a clock of its own.
 */
import { pageOf, type Row } from '../../lib/columns/index.ts';
import { withDeadline } from '../../lib/ground/index.ts';
import { createFold, createReplica, readHead } from '../../lib/replica/index.ts';
import { changeHead, entryKey, loadBase, mergedFrom, writeDelta } from '../../lib/replica/internals.ts';
import type { Database } from '../../lib/users/database.ts';
import { totalOrder } from '../../lib/users/order.ts';
import { writeFields } from '../../lib/users/rows.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import type { Store } from '../data.ts';
import { newcomers } from '../population.ts';
import { times } from '../sample.ts';
import { type Clock, createClock } from './clock.ts';
import { createPartitions } from './partitions.ts';
import { type Throttling, throttled } from './throttle.ts';

export interface Herd {
  containers: number;
  /** Physical ones of each table and each index. */
  partitions: number;
  /** Another number lets other partition keys meet in a partition. */
  salt: number;
  /** Whether as many users have changed since the base as may before a merge. */
  hasDeltas: boolean;
}

/** The wait for a list or a write, in milliseconds of the simulation. */
export interface Wait {
  began: number;
  ended: number;
  isFailed: boolean;
}

export interface Course {
  containers: Wait[];
  writes: Wait[];
  /** In a container that was there before. */
  lists: Wait[];
  /** How many calls, or parts of calls, were refused. */
  refused: number;
}

/** The same in every run. */
const START = Date.parse('2030-01-01T00:00:00Z');
const CREATES_A_SECOND = 100;
/** Of a container that has the users already. */
const LISTS_A_SECOND = 10;
const SECONDS = 40;
/** The merge has begun by then. */
const HERD_MS = 6_000;
/** Between the first container and the last one. */
const STARTS_MS = 500;
/** Before the code of a container runs. */
const LOAD_MS = 300;
/** For how long a container waits for its users before it takes a request. */
const START_MS = 7_000;
/** Of one processor, until the first page by name: "A new container" in bench/README.md, after a merge, and what 5 % more take. */
const UNPACK_MS_A_MEGABYTE = 6.5;
const APPLY_MS_A_CHANGE = 0.008;
/** Of a function that lists: 28 seconds, less what it takes to say that they are over. */
const REQUEST_MS = 27_400;

const WRITERS = 8;
/** How many users change until a merge is due. */
const WRITES_BEFORE = 300;
/** As many as the fold finds at a hundred writes a second. */
const BATCH = 300;
/** How long a call of the fold may take. */
const FOLD_MS = 300_000;
/** Between two calls of the fold. */
const PAUSE_MS = 100;

/** A merge is due after some writes: by the head, and with `hasDeltas` by users who have changed, too. */
async function prepare(database: Database, hasDeltas: boolean): Promise<{ megabytes: number; changed: number }> {
  const head = await readHead(database);
  const base = head?.base && (await loadBase(database, head.base));
  if (!head?.base || typeof base !== 'object') throw new Error('The store has no base');
  const rowAt = (row: number): Row => pageOf(base, {}, totalOrder([]), row, 1).rows[0] ?? { id: 0 };
  const changed = mergedFrom(database.limits, head.base.users) - WRITES_BEFORE;
  const batches = hasDeltas ? Math.floor(changed / BATCH) : 0;
  for (let batch = 1; batch <= batches; batch++) {
    const entries = times(BATCH, (i) => {
      const { id, ...fields } = rowAt(Math.floor((((batch - 1) * BATCH + i) * base.total) / changed));
      const after = writeFields({ ...(fields as Partial<UserFields>), age: i % 100 });
      return { pk: '', sk: entryKey({ id, version: 2 }), id, version: 2, at: START, after };
    });
    await writeDelta(database, head.epoch + batch, entries, head.base.users);
  }
  await changeHead(database, { set: { changed, epoch: head.epoch + batches } });
  return { megabytes: head.base.unpacked / 1e6, changed: batches * BATCH };
}

export async function simulate(
  store: Store,
  { containers, partitions: count, salt, hasDeltas }: Herd,
): Promise<Course> {
  const clock: Clock = createClock(START);
  const { runtime } = clock;
  const { sleep, monotonic } = runtime;
  const partitions = createPartitions(count, monotonic, salt);
  const course: Course = { containers: [], writes: [], lists: [], refused: 0 };
  const throttling: Throttling = { clock, partitions, answers: new Map(), onRefused: () => course.refused++ };
  const connect = (): Database => throttled(store, throttling);

  async function wait(waits: Wait[], run: () => Promise<unknown>): Promise<void> {
    const began = monotonic();
    const isFailed = await run().then(
      () => false,
      () => true,
    );
    waits.push({ began, ended: monotonic(), isFailed });
  }

  /** Ends it with the time of a request. */
  const inTime = (run: () => Promise<unknown>): Promise<unknown> => {
    const isOver = sleep(REQUEST_MS).then(() => {
      throw new Error('The function has timed out');
    });
    return Promise.race([withDeadline(runtime.now() + REQUEST_MS, run), isOver]);
  };

  async function answerFirst(): Promise<void> {
    await sleep(LOAD_MS);
    const users = createReplica(connect());
    await Promise.race([inTime(users.now).catch(() => {}), sleep(START_MS)]);
    await inTime(() => users.now());
    await sleep(UNPACK_MS_A_MEGABYTE * megabytes + APPLY_MS_A_CHANGE * changed);
  }

  async function write(): Promise<void> {
    const draw = newcomers();
    const writers = times(WRITERS, () => createUserStore(connect()));
    await Promise.all(
      times(SECONDS * CREATES_A_SECOND, async (i) => {
        await sleep((i * 1_000) / CREATES_A_SECOND);
        await wait(course.writes, () => inTime(async () => writers[i % WRITERS]?.create(draw())));
      }),
    );
  }

  async function fold(): Promise<void> {
    const { run } = createFold(connect());
    while (monotonic() < SECONDS * 1_000) {
      // The next call goes on where one has failed.
      await withDeadline(runtime.now() + FOLD_MS, () => run(SECONDS * 1_000 - monotonic())).catch(() => {});
      await sleep(PAUSE_MS);
    }
  }

  async function list(): Promise<void> {
    const users = createReplica(connect());
    await users.now();
    await Promise.all(
      times(SECONDS * LISTS_A_SECOND, async (i) => {
        await sleep((i * 1_000) / LISTS_A_SECOND);
        await wait(course.lists, () => inTime(() => users.now()));
      }),
    );
  }

  const { megabytes, changed } = await prepare(store.database, hasDeltas);
  const herd = times(containers, async (i) => {
    await sleep(HERD_MS + (i * STARTS_MS) / containers);
    await wait(course.containers, answerFirst);
  });
  await clock.run(() => Promise.all([write(), list(), fold(), ...herd]));
  return course;
}
