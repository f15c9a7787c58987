import { ServiceError } from '../../../lib/errors.ts';
import type { Database } from '../../../lib/users/database.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { READ_WITHIN_MS } from '../../../lib/users/journal/journal.ts';
import { createUserListing } from '../../../lib/users/listing/listing.ts';
import { verify } from '../../../lib/users/rebuild/verify.ts';
import { SIZES, type Sizes } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { represent, type UserFields } from '../../../lib/users/user.ts';
import { toUser } from '../../../lib/users/userItem.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage, modelSort } from '../model.ts';
import { askAfter, askAll, askPage } from '../questions.ts';
import { countsOf, recountOf } from '../recount.ts';
import { Followers, HISTORY_DAYS } from './followers.ts';
import { Scheduler } from './scheduler.ts';
import { foldAll } from './setUp.ts';
import { type Call, FakeStore, type Line, TABLES } from './store.ts';
import { Writes } from './writes.ts';

export interface RaceOptions {
  seed: number;
  writers?: number;
  writes?: number;
  readers?: number;
  reads?: number;
  folds?: number;
  /** Processes that build all statistics anew, one time after another. */
  rebuilds?: number;
  /** Clients that follow the feed of changes. */
  followers?: number;
  /** The longest pause between two requests of a writer or a reader, in milliseconds. */
  pauseMs?: number;
  /** Nobody freezes, so that most requests take less than a second, and most of what is written concerns them. */
  isBrisk?: boolean;
  /** The largest delay of an index. Entries are folded after 2,000 ms. */
  lagMs?: number;
  sizes?: Partial<Sizes>;
  itemsPerPage?: number;
  /** After this number of changes, the pages and the journal are compared with the users. */
  recountEvery?: number;
}

/** Counts of events, so that a test can check that enough happened. */
export interface RaceReport {
  exact: number;
  during: number;
  /** Of those during which somebody wrote: answers that were compared with all states that there can have been. */
  compared: number;
  unavailable: number;
  crashes: number;
  recounts: number;
  /** How often statistics were built anew. */
  rebuilt: number;
  plans: Set<string>;
}

/** The timeout of the functions. In milliseconds. */
const LONGEST_REQUEST_MS = 29_000;

const READS = new Set(['GetCommand', 'QueryCommand', 'ScanCommand']);

const pick = <Value>(scheduler: Scheduler, values: readonly Value[]): Value =>
  values[scheduler.int(values.length)] as Value;

function fieldsBy(scheduler: Scheduler): UserFields {
  const { int } = { int: (below: number) => scheduler.int(below) };
  return {
    name: pick(scheduler, ['Ann', 'Bea', 'ann', 'Cy']),
    ...(int(4) > 0 && { lastName: pick(scheduler, ['ab', 'aba', 'abab', 'b', 'ba', 'cab']) }),
    ...(int(3) > 0 && { status: pick(scheduler, ['on', 'off', 'ON']) }),
    ...(int(3) > 0 && { country: pick(scheduler, ['DE', 'FR']) }),
    ...(int(3) > 0 && { age: int(3) }),
    ...(int(3) > 0 && { email: pick(scheduler, ['a@b.de', 'c@d.de']) }),
  };
}

const PROPERTIES = ['id', 'name', 'email', 'age', 'lastName', 'createdAt', 'status', 'country'] as const;

/** @param isWide few filters and large pages: most of what is written concerns it */
function queryBy(scheduler: Scheduler, isWide: boolean): ModelQuery {
  const filters = isWide ? 12 : 3;
  const sort = Array.from({ length: scheduler.int(3) }, () => ({
    property: pick(scheduler, PROPERTIES),
    direction: pick(scheduler, ['asc', 'desc'] as const),
  }));
  return {
    ...(scheduler.int(filters) === 0 && { status: pick(scheduler, ['on', 'off', 'ON']) }),
    ...(scheduler.int(filters) === 0 && { country: pick(scheduler, ['DE', 'FR']) }),
    ...(scheduler.int(2 * filters) === 0 && { email: 'A@b.de' }),
    ...(scheduler.int(filters) === 0 && { keyword: pick(scheduler, ['a', 'ab', 'B', 'ba']) }),
    sort: sort.filter(({ property }, i) => sort.findIndex((key) => key.property === property) === i),
    page: scheduler.int(isWide ? 2 : 4),
    size: 1 + scheduler.int(isWide ? 20 : 6),
  };
}

/** The ids of users who are gone. */
const goneOf = (writes: readonly { id: number }[], present: readonly ModelUser[]): number[] => {
  const ids = new Set(present.map(({ id }) => id));
  return [...new Set(writes.map(({ id }) => id))].filter((id) => !ids.has(id));
};

/** Throws a description of a difference. */
function differ(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}\n got  ${a}\n true ${b}`);
}

/** Most are right, and to compare them as texts takes long. */
function areSame(a: Record<string, number>, b: Record<string, number>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

const sorted = (counts: Record<string, number>) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

/** Fails unless the pages together with the journal count exactly the existing users. */
export function checkCounts(store: FakeStore): void {
  const users = store.itemsOf('users');
  const { counts, total } = countsOf(store.itemsOf('directory'));
  differ('total', total, users.length);
  const recount = recountOf(users);
  if (!areSame(counts, recount)) differ('counts', sorted(counts), sorted(recount));
}

/**
 * Writers, readers and folds over one store, one step at a time in a random order. Processes freeze and die, attempts of writes
 * arrive twice or late, indexes are late, and queries read item by item.
 *
 * @throws when a list, a total or a tag is wrong at any moment
 */
export async function race(options: RaceOptions): Promise<RaceReport> {
  const { seed, writers = 2, writes = 8, readers = 2, reads = 8, folds = 2, pauseMs = 4_000, lagMs = 1_800 } = options;
  const scheduler = new Scheduler(seed);
  const { random, now } = scheduler;
  const store = new FakeStore({ now, lag: () => random() * lagMs, itemsPerPage: options.itemsPerPage ?? 7 });
  const report: RaceReport = {
    exact: 0,
    during: 0,
    compared: 0,
    unavailable: 0,
    crashes: 0,
    recounts: 0,
    rebuilt: 0,
    plans: new Set(),
  };
  const truth = () => store.itemsOf('users').map((item) => represent(toUser(item)) as ModelUser);
  const history: ModelUser[][] = [[]];
  const isLate = lagMs >= 2_000;

  let changes = 0;
  const committed = new Writes(store);
  store.onChange = () => {
    if (store.commits >= history.length) {
      history.push(truth());
      committed.note();
    }
    if (++changes % (options.recountEvery ?? 5) === 0) {
      checkCounts(store);
      report.recounts++;
    }
  };

  function lineOf(process: string, onCrash?: () => void): Line {
    const crashes = (chance: number) => {
      if (!onCrash || random() >= chance) return false;
      report.crashes++;
      scheduler.forget(process);
      onCrash();
      return true;
    };
    const nap = () =>
      options.isBrisk ? 0 : random() < 0.01 ? random() * 20_000 : random() < 0.05 ? random() * 1_000 : 0;
    const never = () => new Promise<never>(() => {});
    return {
      async around({ command }: Call, execute) {
        await scheduler.turn(process, nap());
        if (crashes(0.004)) return never();
        const isWrite = !READS.has(command);
        if (isWrite && random() < 0.05) {
          // An attempt after its caller has stopped waiting.
          scheduler
            .turn('late', random() * 5_000)
            .then(execute)
            .catch(() => {});
        }
        const response = await execute();
        if (crashes(0.004)) return never();
        if (random() < 0.3) await scheduler.turn(process, isWrite ? nap() : 0);
        return response;
      },
      async pause(isWrite) {
        if (isWrite && crashes(0.02)) return never();
        // One page of a query takes milliseconds. A batch of writes may take any time.
        if (isWrite) return scheduler.turn(process, nap());
        return random() < 0.2 ? scheduler.turn(process, 0, now() + 20) : undefined;
      },
    };
  }

  const databaseOf = (process: string, onCrash?: () => void): Database => ({
    dynamo: store.client(lineOf(process, onCrash)),
    tables: TABLES,
    runtime: scheduler.runtimeOf(process),
    sizes: { ...SIZES, ...options.sizes },
  });

  let busy = writers + readers;

  async function write(process: string): Promise<void> {
    const database = databaseOf(process);
    const users = createUserStore(database);
    let favourite: number | undefined;
    for (let i = 0; i < writes; i++) {
      await database.runtime.sleep(random() < 0.4 ? 0 : random() * pauseMs);
      const isThere = favourite !== undefined && truth().some(({ id }) => id === favourite);
      const someone = isThere && random() < 0.6 ? favourite : pick(scheduler, truth())?.id;
      favourite = someone;
      const chance = random();
      try {
        const gone = pick(scheduler, goneOf(committed.written, truth()));
        if (gone !== undefined && chance < 0.1) await users.createWithId(gone, fieldsBy(scheduler));
        else if (someone === undefined || chance < 0.35) await users.create(fieldsBy(scheduler));
        else if (chance < 0.55) await users.delete(someone);
        else await users.update(someone, () => fieldsBy(scheduler));
      } catch (error) {
        if (!(error instanceof ServiceError && [404, 412].includes(error.status))) throw error;
      }
    }
    busy--;
  }

  const tags = new Map<string, number>();
  const commits = new Map<number, string>();

  /** Each state has one tag, and each tag one state. */
  function checkTag(tag: string, commit: number): void {
    differ('state of tag', tags.get(tag) ?? commit, commit);
    // Statistics that are built anew get a new tag.
    if (!options.rebuilds) differ('tag of state', commits.get(commit) ?? tag, tag);
    tags.set(tag, commit);
    commits.set(commit, tag);
  }

  /** Writes during a read may be visible or not. Earlier ones must be visible. */
  function checkDuring(query: Partial<ModelQuery>, total: number | undefined, shown: ModelUser[], from: number): void {
    const states = history.slice(from);
    const numbers = states.map((users) => new Set(modelFilter(users, query).map(({ id }) => id)));
    const ids = [...new Set(numbers.flatMap((state) => [...state]))];
    const sure = ids.filter((id) => numbers.every((state) => state.has(id))).length;
    if (total !== undefined && (total < sure || total > ids.length)) {
      throw new Error(`total ${total} of ${JSON.stringify(query)} is not within ${sure} and ${ids.length}`);
    }
    for (const user of shown) {
      const versions = states.flatMap((users) => users.filter(({ id }) => id === user.id));
      if (!versions.some((version) => JSON.stringify(version) === JSON.stringify(user))) {
        throw new Error(`${JSON.stringify(user)} was never there: ${JSON.stringify(versions)}`);
      }
    }
  }

  /** An answer is one state: its content, its total and its tag. What took longer than a second promises less. */
  function checkState(asked: string, began: number, from: number, tag: string, isOf: (users: ModelUser[]) => boolean) {
    if (now() - began > READ_WITHIN_MS) return;
    const states = committed.statesSince(from);
    if (!states) return;
    const hasTag = (state: { tag: string }) => options.rebuilds !== undefined || state.tag === tag;
    if (!states.some((state) => hasTag(state) && isOf(state.users))) {
      const withTag = states.find((state) => state.tag === tag);
      throw new Error(`${asked} is not of the state of its tag ${tag}: ${JSON.stringify(withTag?.users)}`);
    }
    report.compared++;
  }

  async function ask(listing: ReturnType<typeof createUserListing>): Promise<void> {
    const before = store.commits;
    const began = now();
    const query = queryBy(scheduler, options.isBrisk ?? false);
    const kind = scheduler.int(6);
    const asked = `${kind} ${JSON.stringify(query)}`;
    const isQuiet = () => store.commits === before;
    const users = history[before] ?? [];
    if (kind === 0) {
      const after = pick(scheduler, [0, ...users.map(({ id }) => id)]);
      const response = await askAfter(listing, query, after, query.size);
      const wanted = modelFilter(modelSort(users, []), query).filter(({ id }) => id > after);
      if (isQuiet() && !isLate) differ(asked, response.users, wanted.slice(0, query.size));
      if (isQuiet()) checkTag(response.tag, before);
      else if (!isLate) {
        checkDuring(query, undefined, response.users, before);
        const got = JSON.stringify(response.users);
        checkState(`${asked} after ${after}: ${got}`, began, before, response.tag, (state) => {
          const matching = modelFilter(modelSort(state, []), query).filter(({ id }) => id > after);
          return JSON.stringify(matching.slice(0, query.size)) === got;
        });
      }
    } else if (kind === 1) {
      const response = await askAll(listing, query.sort);
      if (isQuiet() && !isLate) differ(asked, response.users, modelSort(users, query.sort));
      if (isQuiet()) differ(asked, response.total, users.length);
      if (isQuiet()) checkTag(response.tag, before);
      else if (!isLate) checkDuring({}, response.total, response.users, before);
    } else {
      const { page, tag } = await askPage(listing, query);
      const wanted = modelPage(users, query);
      if (isQuiet() && !isLate) differ(asked, page, wanted);
      // Only an index counts the users of an address.
      if (isQuiet() && isLate && !query.email) differ(asked, page.totalElements, wanted.totalElements);
      if (isQuiet()) checkTag(tag, before);
      else if (!isLate) {
        checkDuring(query, page.totalElements, page.content as ModelUser[], before);
        const got = JSON.stringify(page);
        checkState(`${asked}: ${got}`, began, before, tag, (state) => JSON.stringify(modelPage(state, query)) === got);
      }
    }
    if (isQuiet()) report.exact++;
    else report.during++;
  }

  async function read(process: string): Promise<void> {
    const database = databaseOf(process);
    const listing = createUserListing(database);
    for (let i = 0; i < reads; i++) {
      await database.runtime.sleep(random() * pauseMs);
      const began = now();
      try {
        await ask(listing);
      } catch (error) {
        // A request that takes longer has been ended by then.
        const isTooLong = now() - began > LONGEST_REQUEST_MS && options.rebuilds !== undefined;
        if (!isTooLong && !(error instanceof ServiceError && error.status === 503)) throw error;
        report.unavailable++;
      }
    }
    busy--;
  }

  let started = 0;
  function startFold(): void {
    const process = `fold${started++}`;
    scheduler.start(process, async () => {
      const database = databaseOf(process, () => busy > 0 && startFold());
      const fold = createFold(database, { restMs: 0, historyDays: HISTORY_DAYS });
      while (busy > 0) {
        await fold.run(5_000);
        await database.runtime.sleep(random() * 500);
      }
    });
  }

  function startRebuild(): void {
    const process = `rebuild${started++}`;
    scheduler.start(process, async () => {
      const database = databaseOf(process, () => busy > 0 && startRebuild());
      while (busy > 0) {
        await database.runtime.sleep(random() * 20_000);
        try {
          await verify(database, { always: true, keepOldMs: LONGEST_REQUEST_MS });
          report.rebuilt++;
        } catch (error) {
          if (!(error instanceof ServiceError && error.status === 503)) throw error;
        }
      }
    });
  }

  for (let i = 0; i < writers; i++) scheduler.start(`writer${i}`, () => write(`writer${i}`));
  for (let i = 0; i < readers; i++) scheduler.start(`reader${i}`, () => read(`reader${i}`));
  for (let i = 0; i < folds; i++) startFold();
  for (let i = 0; i < (options.rebuilds ?? 0); i++) startRebuild();
  const isBusy = () => busy > 0;
  const followers = new Followers(scheduler);
  for (let i = 0; i < (options.followers ?? 0); i++) {
    const database = databaseOf(`follower${i}`);
    const lasts = async () => {
      await database.runtime.sleep(60_000);
      await foldAll({ ...database, dynamo: store.client() }, HISTORY_DAYS);
    };
    scheduler.start(`follower${i}`, () => followers.follow(database, i === 0, isBusy, lasts));
  }
  const written = () => committed.written;
  if (options.followers) scheduler.start('eraser', () => followers.erase(databaseOf('eraser'), written, isBusy));
  await scheduler.run();

  scheduler.start('last', async () => {
    const runtime = scheduler.runtimeOf('last');
    const database = { ...databaseOf('last'), dynamo: store.client(), runtime };
    await runtime.sleep(30_000);
    const left = await foldAll(database, HISTORY_DAYS);
    differ('entries that are left', left, 0);
    checkCounts(store);
    const query: ModelQuery = { sort: [], page: 0, size: 100 };
    if (options.followers) await followers.check(database, committed.written);
    differ('at rest', (await askPage(createUserListing(database), query)).page, modelPage(truth(), query));
  });
  await scheduler.run();
  return report;
}
