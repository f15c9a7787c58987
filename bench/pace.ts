/** Whether the fold keeps up with writes. The fold is a black box: it is run, and its calls are counted. */
import { type Meter, metered } from '../lib/metering.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold, type Fold } from '../lib/users/fold/fold.ts';
import type { UserFields } from '../lib/users/user.ts';
import { createMany } from '../tests/support/createMany.ts';
import { context, event } from '../tests/support/events.ts';
import { startFolding } from '../tools/local/foldTimer.ts';
import { arrive } from './arrive.ts';
import { FOLD_AT_ONCE, openData, type Store, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { type Cost, median, one, summarize } from './figures.ts';
import { connectHandlers } from './handlers.ts';
import { emptyJournal, journalSize, untilShort } from './journal.ts';
import { measurePrice } from './price.ts';
import { type Figures, measureParts, startBar } from './print.ts';
import { times } from './sample.ts';
import { newcomers } from './writes.ts';

type Draw = () => UserFields;

interface Pace {
  users: number;
  seconds: number;
  /** Creates a second. */
  rate: number;
  isQuick: boolean;
}

/** Entries that are folded to warm up, and entries that are measured. */
const BACKLOG = { warmUp: 1_000, measured: 5_000 };
const QUICK_BACKLOG = { warmUp: 100, measured: 400 };
/** Every index has caught up with a backlog, so it may be folded at once. Its entries are deleted as late as in a stage. */
const OLD_ENOUGH = { minimumAgeMs: 0, historyDays: FOLD_AT_ONCE.historyDays };
/** How long to wait for the fold. If it is slower than the writes, it leaves too much to wait for. */
const LONGEST_MS = 30 * 60_000;

/** About one. If it divided the creates evenly, each page would begin together with one of them. */
const PAGES_A_SECOND = 0.997;
const LAST_MS = 60_000;
/** Calls of each kind at rest, after calls that warm up. */
const AT_REST = 100;
const WARM_UP = 50;
const PROGRESS_MS = 1_000;

/** Folds until the journal costs a list nothing. @returns what the fold cost, and the milliseconds until then */
async function foldAll(database: Database, fold: Fold): Promise<{ meter: Meter; milliseconds: number }> {
  const ended = new AbortController();
  const folding = metered(async (meter) => {
    while (!ended.signal.aborted) await fold.run(UNTIL_ALL_IS_FOLDED);
    return meter;
  });
  const milliseconds = await untilShort(database, LONGEST_MS);
  ended.abort();
  return { meter: await folding, milliseconds };
}

/** How fast one warm fold is while nothing else runs, until a long journal costs a list nothing. */
async function measureAlone({ database }: Store, draw: Draw, isQuick: boolean): Promise<Figures> {
  const { warmUp, measured } = isQuick ? QUICK_BACKLOG : BACKLOG;
  const fold = createFold(database, OLD_ENOUGH);
  await emptyJournal(database);
  await createMany(database, times(warmUp, draw));
  await foldAll(database, fold);
  await createMany(database, times(measured, draw));
  const before = await journalSize(database);
  const { meter, milliseconds } = await foldAll(database, fold);
  const folded = before.entries - (await journalSize(database)).entries;
  return [
    ['entries a second', one((folded / milliseconds) * 1_000)],
    ['write units of the fold, each entry', one(meter.writeUnits / folded)],
    ['read units of the fold, each entry', one(meter.readUnits / folded)],
    ['calls of the fold, each entry', one(meter.calls / folded)],
  ];
}

/** The read units in a Server-Timing header. @throws {Error} when it has none */
export function readUnitsIn(serverTiming: string): number {
  const [, units] = /dynamodb;desc="([\d.]+) RRU/.exec(serverTiming) ?? [];
  if (units === undefined) throw new Error(`No read units in "${serverTiming}"`);
  return Number(units);
}

/** The requests of the load, to handlers in this process. A failed one throws. A page gives its read units. */
async function loadRequests(store: Store, draw: Draw) {
  connectHandlers(store);
  const { handler: create } = await import('../functions/createUser.ts');
  const { handler: list } = await import('../functions/listUsers.ts');
  const headers = { 'Content-Type': 'application/json' };
  const expect = (wanted: number, { statusCode, body }: { statusCode: number; body: string }) => {
    if (statusCode !== wanted) throw new Error(`Answered ${statusCode}: ${body}`);
  };
  return {
    async create(): Promise<void> {
      expect(201, await create(event('', { httpMethod: 'POST', headers, body: JSON.stringify(draw()) }), context));
    },
    async page(): Promise<number> {
      const response = await list(event('sort=name'), context);
      expect(200, response);
      return readUnitsIn(String(response.headers?.['server-timing']));
    },
  };
}

/** The median of the milliseconds of calls one after another. */
async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const spent: number[] = [];
  for (let i = 0; i < WARM_UP + AT_REST; i++) {
    const started = performance.now();
    await call();
    spent.push(performance.now() - started);
  }
  return median(spent.slice(WARM_UP));
}

/**
 * Creates at a constant rate while the fold runs in a thread of its own, as in the local service. Times count from the moment when a
 * request was due, so a late beginning counts, too.
 */
async function measureBeside(
  store: Store,
  { draw, seconds, rate }: { draw: Draw } & Pick<Pace, 'seconds' | 'rate'>,
): Promise<Figures> {
  const { database } = store;
  const { monotonic, sleep } = database.runtime;
  await emptyJournal(database);
  const requests = await loadRequests(store, draw);
  const [pageAtRest, createAtRest] = [await medianOf(requests.page), await medianOf(requests.create)];
  await emptyJournal(database);

  const fold = startFolding(new URL('./foldWorker.ts', import.meta.url), undefined);
  const post: Cost[] = [];
  const page: Cost[] = [];
  const units: Cost[] = [];
  const started = monotonic();
  const creates = arrive(database.runtime, rate, async (due) => {
    await requests.create();
    post.push({ units: (monotonic() - due) / createAtRest });
  });
  const pages = arrive(database.runtime, PAGES_A_SECOND, async (due) => {
    const read = await requests.page();
    page.push({ units: (monotonic() - due) / pageAtRest });
    if (due - started >= seconds * 1_000 - LAST_MS) units.push({ units: read });
  });
  const bar = startBar(seconds, `seconds of ${rate} creates`);
  for (let passed = 0; passed < seconds * 1_000; passed = monotonic() - started) {
    bar.update(Math.round(passed / 1_000));
    await sleep(PROGRESS_MS);
  }
  const [, taken] = await Promise.all([pages.stop(), creates.stop()]);
  bar.stop();
  for (const { failed, failure } of [creates, pages])
    if (failed() > 0) process.stderr.write(`  ${failed()} requests failed, the first with: ${failure()}\n`);
  const left = await journalSize(database);
  const shortAfterMs = await untilShort(database, LONGEST_MS);
  await fold.terminate();
  return [
    ['creates taken, a second', one(taken)],
    ['requests that failed', one(creates.failed() + pages.failed())],
    ['first page by name in the last minute, read units', summarize(units)],
    ['POST, as a multiple of its median time at rest', summarize(post)],
    ['first page by name, as a multiple of its median time at rest', summarize(page)],
    ['entries in the journal after the last create', one(left.entries)],
    ['seconds after it until the journal costs one read unit', one(shortAfterMs / 1_000)],
  ];
}

async function withStore<Result>(users: number, measure: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openData(users);
  return measure(store).finally(store.stop);
}

/** Measures a store of so many users, with so many seconds of so many creates a second. */
export async function measurePace({ users, isQuick, ...load }: Pace): Promise<Figures> {
  /** All parts draw from one source: the same users again would change too little. */
  const draw = newcomers();
  const alone = await withStore(users, (store) =>
    measureParts({
      'Price of a create': () => measurePrice(store.database, draw, isQuick),
      'The fold alone': () => measureAlone(store, draw, isQuick),
    }),
  );
  // A fresh store: what earlier parts leave behind, such as a long write-ahead log, makes it slower.
  const beside = await withStore(users, (store) =>
    measureParts({ 'Next to creates': () => measureBeside(store, { draw, ...load }) }),
  );
  return [...alone, ...beside];
}
