/** The fold, and pages beside a constant stream of creates. */
import { metered } from '../lib/metering.ts';
import { createFold, type FoldOptions } from '../lib/users/fold/fold.ts';
import { readItems } from '../lib/users/journal/items.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import { createUserStore } from '../lib/users/store.ts';
import { createMany } from '../tests/support/createMany.ts';
import { startFolding } from '../tools/local/foldTimer.ts';
import { FOLD_AT_ONCE, HISTORY_DAYS, type Store, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { type Cost, costOf, type Figures, one, spread } from './figures.ts';
import { startBar } from './print.ts';
import { newcomers, PAGE_SIZE, times } from './sample.ts';

/** Entries that are folded to warm up, and entries that are measured: some whole batches. */
const BACKLOG = { warmUp: 1_000, measured: 8_000 };
const QUICK_BACKLOG = { warmUp: 100, measured: 400 };

/** As at a stage, where a batch waits for three seconds, but for a journal of one read unit, which may rest there. */
const AS_DEPLOYED: FoldOptions = { historyDays: HISTORY_DAYS, restMs: 0 };

/** How fast a warm fold is while nothing else runs. */
export async function measureFold({ database }: Store, isQuick: boolean): Promise<Figures> {
  const { warmUp, measured } = isQuick ? QUICK_BACKLOG : BACKLOG;
  const draw = newcomers();

  async function run(options: FoldOptions): Promise<Cost & { aSecond: number }> {
    const fold = createFold(database, options);
    await createMany(database, times(warmUp, draw));
    await fold.run(UNTIL_ALL_IS_FOLDED);
    await createMany(database, times(measured, draw));
    const began = performance.now();
    const cost = await costOf(() => fold.run(UNTIL_ALL_IS_FOLDED));
    return { ...cost, aSecond: (measured / (performance.now() - began)) * 1_000 };
  }

  const atOnce = await run(FOLD_AT_ONCE);
  const waiting = await run(AS_DEPLOYED);
  return {
    'entries a second': one(atOnce.aSecond),
    'entries a second, with the waits of a stage': one(waiting.aSecond),
    'milliseconds of processor time, each entry': one(atOnce.milliseconds / measured),
    'calls, each entry': one(atOnce.calls / measured),
  };
}

export interface Load {
  seconds: number;
  /** Creates a second. */
  rate: number;
}

/** About one. If it divided the creates evenly, each page would begin together with one of them. */
const PAGES_A_SECOND = 0.997;
const LAST_SECONDS = 60;
const POLL_MS = 5;
/** How long to wait for the fold. If it is slower than the writes, it leaves too much to wait for. */
const LONGEST_SECONDS = 600;

/** What is due is begun, however long others take. The fold runs in a thread of its own, as in the local service. */
export async function measureBeside({ database, endpoint }: Store, { seconds, rate }: Load): Promise<Figures> {
  const { sleep } = database.runtime;
  const [users, listing, draw] = [createUserStore(database), createUserListing(database), newcomers()];
  const byName = totalOrder([{ property: 'name', direction: 'asc' }]);
  const page = () =>
    metered(async (meter) => {
      await listing.page({ filters: {}, order: byName, number: 0, size: PAGE_SIZE });
      return meter.readUnits;
    });
  await page();

  const fold = startFolding(new URL('./foldWorker.ts', import.meta.url), endpoint);
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const units: number[] = [];
  const begin = (run: () => Promise<unknown>): void => {
    const call = run()
      .catch((error) => failures.push(error))
      .finally(() => running.delete(call));
    running.add(call);
  };
  const started = performance.now();
  const passed = () => (performance.now() - started) / 1_000;
  const bar = startBar(seconds, `seconds of ${rate} creates`);
  for (let [creates, pages] = [0, 0]; passed() < seconds; await sleep(POLL_MS)) {
    for (; creates < passed() * rate; creates++) begin(() => users.create(draw()));
    for (; pages < passed() * PAGES_A_SECOND; pages++) {
      const isLast = passed() >= seconds - LAST_SECONDS;
      begin(async () => {
        const read = await page();
        if (isLast) units.push(read);
      });
    }
    bar.update(Math.round(passed()));
  }
  await Promise.all(running);
  const ended = passed();
  bar.stop();
  if (failures.length > 0) process.stderr.write(`  The first of ${failures.length} failures: ${failures[0]}\n`);
  const { entries } = await readItems(database);
  while ((await readItems(database)).units > 1 && passed() - ended < LONGEST_SECONDS) await sleep(50 * POLL_MS);
  const shortAfter = passed() - ended;
  await fold.terminate();
  return {
    'creates taken, a second': one((seconds * rate - failures.length) / ended),
    'requests that failed': one(failures.length),
    'first page by name in the last minute, read units': spread(units),
    'entries in the journal after the last create': one(entries.length),
    'seconds after it until the journal costs one read unit': one(shortAfter),
  };
}
