import { AsyncLocalStorage } from 'node:async_hooks';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Runtime } from '../../../lib/runtime.ts';
import type { Database } from '../../../lib/users/database.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { readHead } from '../../../lib/users/journal/items.ts';
import { compareChanges } from '../../../lib/users/rebuild/compareChanges.ts';
import { SIZES, type Sizes } from '../../../lib/users/sizes.ts';
import { represent } from '../../../lib/users/user.ts';
import { toUser } from '../../../lib/users/userItem.ts';
import type { Invoke } from '../handlers.ts';
import type { ModelUser } from '../model.ts';
import { countsOf } from '../recount.ts';
import { checkCounts } from './counts.ts';
import { FAULTS, goOn } from './faults.ts';
import { HISTORY_DAYS } from './followers.ts';
import { Scheduler } from './scheduler.ts';
import { attach, type Reached } from './sdk.ts';
import { foldAll } from './setUp.ts';
import { FakeStore, type Line, TABLES } from './store.ts';

export interface ChaosOptions {
  seed: number;
  operations: number;
  clients?: number;
  /** How many attempts out of a hundred meet a fault. */
  faultPercent?: number;
}

/** Counts of events, so that a test can check that enough happened. */
export interface ChaosReport {
  attempts: number;
  faults: number;
  deaths: number;
  statuses: Record<string, number>;
  users: number;
  /** The number of folded batches. */
  folds: number;
}

export const CHAOS_SIZES: Sizes = {
  ...SIZES,
  nodeBytes: 400,
  segmentUsers: 12,
  sumUsers: 40,
  nearUsers: 4,
};

const SINGLE = FAULTS.filter(({ isLasting }) => !isLasting);
const DEATHS = SINGLE.filter(({ name }) => name.startsWith('the process dies'));
const OTHERS = SINGLE.filter((fault) => !DEATHS.includes(fault));

/** The process of the current work: all containers share the handlers. */
const current = new AsyncLocalStorage<{ process: string; line: Line }>();

let course: { scheduler: Scheduler; store: FakeStore } | undefined;

const running = () => {
  if (!course) throw new Error('There is no course');
  return course;
};

/** The options to load the handlers with: the store, the clock and the line of the process that calls them. */
export const reachedNow = (): Reached => {
  const here = current.getStore();
  if (!here) throw new Error('Work of no process');
  return { store: running().store, line: here.line };
};

export const chaosRuntime: Runtime = {
  now: () => course?.scheduler.now() ?? 0,
  monotonic: () => course?.scheduler.now() ?? 0,
  random: () => running().scheduler.random(),
  sleep: (milliseconds) => running().scheduler.turn(current.getStore()?.process ?? '', milliseconds),
};

type State = string;

/** The state of a user that does not exist. */
const ABSENT: State = 'absent';

const stateOf = (user: Partial<ModelUser> | undefined): State =>
  user ? JSON.stringify(Object.entries(user).toSorted(([a], [b]) => (a < b ? -1 : 1))) : ABSENT;

/** The possible states of a user, by the responses to its writers. */
interface Known {
  possible: Set<State>;
}

/**
 * Clients of a service in which every third attempt fails, and which dies and is late. Each client compares the state with
 * the responses that it got.
 *
 * @throws when an acknowledged write is lost, a write appears that nobody sent, or statistics are not exact
 */
export async function chaos(invoke: Invoke, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, operations, clients = 4, faultPercent = 30 } = options;
  const scheduler = new Scheduler(seed);
  const { random, now } = scheduler;
  const store = new FakeStore({ now, lag: () => random() * 1_800, itemsPerPage: 40 });
  course = { scheduler, store };
  const report: ChaosReport = { attempts: 0, faults: 0, deaths: 0, statuses: {}, users: 0, folds: 0 };
  const pick = <Value>(values: readonly Value[]): Value => values[scheduler.int(values.length)] as Value;

  let changes = 0;
  store.onChange = () => {
    if (++changes % 50 === 0) checkCounts(store);
  };

  /** The line of one process, until it dies. */
  function lineOf(process: string, onDeath: () => void): Line {
    let outageUntil = 0;
    const die = () => {
      report.deaths++;
      scheduler.kill(process);
      onDeath();
    };
    const later = (run: () => Promise<unknown>) => {
      scheduler
        .turn('late', random() * 5_000)
        .then(run)
        .catch(() => {});
    };
    return {
      async around(call, execute) {
        await scheduler.turn(process);
        goOn(call);
        report.attempts++;
        if (random() < 0.002) outageUntil = now() + random() * 10_000;
        const applicable = OTHERS.filter(({ of }) => of.test(call.command));
        const isMet = now() < outageUntil || random() < faultPercent / 100;
        if (!isMet) return execute();
        report.faults++;
        const fault = random() < 0.03 ? pick(DEATHS) : pick(applicable);
        return fault.attempt(call, execute, { die, later });
      },
      pause: async (isWrite) => (isWrite || random() < 0.1 ? scheduler.turn(process, 0, now() + 20) : undefined),
    };
  }

  let containers = 0;
  /** Runs a function in a container of its own, which may die without a response. */
  function inContainer<Result>(run: () => Promise<Result>): Promise<Result | 'died'> {
    return new Promise((resolve, reject) => {
      const process = `container${containers++}`;
      const line = lineOf(process, () => resolve('died'));
      current.run({ process, line }, () => run().then(resolve, reject));
    });
  }

  async function request(...asked: Parameters<Invoke>): Promise<Awaited<ReturnType<Invoke>> | undefined> {
    const response = await inContainer(() => invoke(...asked));
    const status = response === 'died' ? 'none' : String(response.statusCode);
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    if (response === 'died') return undefined;
    const isKnown = ['200', '201', '204', '404', '503'].includes(status);
    if (!isKnown) throw new Error(`${asked[0]} got ${status}: ${response.body}`);
    return response.statusCode === 503 ? undefined : response;
  }

  const known = new Map<number, Known>();
  /** The names of users whose creation was not acknowledged, and of those created with a key. */
  const unknown = new Set<string>();
  let names = 0;

  const fieldsOf = (name: string) => ({
    name,
    ...(random() < 0.8 && { lastName: pick(['ab', 'aba', 'b', 'cab', 'Straße']) }),
    ...(random() < 0.7 && { status: pick(['on', 'off']) }),
    ...(random() < 0.7 && { country: pick(['DE', 'FR']) }),
    ...(random() < 0.5 && { age: scheduler.int(4) }),
  });

  async function create(mine: number[]): Promise<void> {
    const name = `n${names++}`;
    const body = fieldsOf(name);
    const key = random() < 0.5 ? `k${name}` : undefined;
    const more = key && { headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' } };
    for (let attempt = 0; attempt < (key ? 4 : 1); attempt++) {
      const response = await request('createUser', { body, ...(more && { more }) });
      if (!response) continue;
      const user = response.json as ModelUser;
      known.set(user.id, { possible: new Set([stateOf(user)]) });
      mine.push(user.id);
      return;
    }
    unknown.add(name);
  }

  /** Users that only one client writes, so that the order of their states is known. */
  async function change(id: number): Promise<void> {
    const user = known.get(id);
    if (!user) return;
    const chance = random();
    const createdAt = new Date(1_577_836_800_000 + Math.floor(id / 4_096)).toISOString();
    if (chance < 0.3) {
      const response = await request('deleteUser', { id });
      if (response) user.possible = new Set([ABSENT]);
      else user.possible.add(ABSENT);
      return;
    }
    const fields = fieldsOf(`n${names++}`);
    const response =
      chance < 0.65
        ? await request('replaceUser', { id, body: fields })
        : await request('patchUser', {
            id,
            body: { lastName: null, status: null, country: null, age: null, ...fields },
          });
    if (response?.statusCode === 404) {
      if (!user.possible.has(ABSENT)) throw new Error(`User ${id} is gone, and nobody has deleted it`);
      user.possible = new Set([ABSENT]);
    } else if (response) user.possible = new Set([stateOf(response.json as ModelUser)]);
    else user.possible.add(stateOf({ id, createdAt, ...fields }));
  }

  async function look(id: number): Promise<void> {
    const response = await request('getUser', { id });
    if (!response) return;
    const state = response.statusCode === 404 ? ABSENT : stateOf(response.json as ModelUser);
    if (!known.get(id)?.possible.has(state)) throw new Error(`User ${id} is ${state}, which cannot be`);
  }

  const QUERIES = [
    '',
    'sort=name&page=1&size=5',
    'status=on&sort=lastName',
    'keyword=ab&size=4',
    'country=DE&sort=age',
  ];

  async function work(of: number): Promise<void> {
    const mine: number[] = [];
    for (let i = of; i < operations; i += clients) {
      if (random() < 0.3) await scheduler.turn(`client${of}`, random() * 2_000);
      const chance = random();
      if (mine.length === 0 || chance < 0.25) await create(mine);
      else if (chance < 0.6) await change(pick(mine));
      else if (chance < 0.8) await look(pick(mine));
      else if (chance < 0.95) await request('listUsers', { query: pick(QUERIES) });
      else await request('listUsersByCursor', { query: `cursor=${pick(mine)}` });
      // Only a few users are in work at a time, so that each is written many times.
      if (mine.length > 8) mine.splice(scheduler.int(mine.length), 1);
    }
  }

  let busy = clients;
  const databaseWith = (line: Line): Database => ({
    dynamo: attach(createDynamo({ endpoint: 'http://127.0.0.1:1', runtime: chaosRuntime }), () => ({ store, line })),
    tables: TABLES,
    runtime: chaosRuntime,
    sizes: CHAOS_SIZES,
  });

  async function keepFolding(): Promise<void> {
    while (busy > 0) {
      await inContainer(async () => {
        const fold = createFold(databaseWith(reachedNow().line), { restMs: 0, historyDays: HISTORY_DAYS });
        while (busy > 0) {
          try {
            await fold.run(5_000);
          } catch (error) {
            if (!(error instanceof ServiceError && error.status === 503)) throw error;
          }
          await chaosRuntime.sleep(500);
        }
      });
    }
  }

  for (let i = 0; i < clients; i++) scheduler.start(`client${i}`, () => work(i).finally(() => busy--));
  for (let i = 0; i < 2; i++) scheduler.start(`fold${i}`, keepFolding);
  await scheduler.run(operations * 1_000);

  scheduler.start('last', async () => {
    // Delayed attempts arrive, and indexes catch up.
    await scheduler.turn('last', 30_000);
    const line: Line = { around: (_, execute) => execute(), pause: async () => {} };
    const left = await current.run({ process: 'last', line }, async () => {
      const database = databaseWith(line);
      const entries = await foldAll(database, HISTORY_DAYS);
      const users = store.itemsOf('users').map(toUser);
      const { wrong } = await compareChanges(database, await readHead(database), users);
      if (wrong > 0) throw new Error(`${wrong} changes are missing or come twice`);
      return entries;
    });
    if (left !== 0) throw new Error(`${left} entries are left`);
    checkCounts(store);
  });
  await scheduler.run();

  const final = new Map(store.itemsOf('users').map((item) => [Number(item.id), represent(toUser(item)) as ModelUser]));
  for (const [id, { possible }] of known) {
    const state = stateOf(final.get(id));
    if (!possible.has(state)) throw new Error(`User ${id} is ${state} in the end, not ${[...possible].join(' or ')}`);
  }
  for (const [id, { name }] of final) {
    if (known.has(id)) continue;
    if (!unknown.delete(name)) throw new Error(`User ${id}, ${name}, was created by nobody or twice`);
  }
  report.users = final.size;
  report.folds = countsOf(store.itemsOf('directory')).epoch;
  course = undefined;
  return report;
}
