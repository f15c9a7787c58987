import { setTimeout as sleep } from 'node:timers/promises';
import { metered } from '../lib/metering.ts';
import { inParallel } from '../lib/parallel.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/journal/fold.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import { createUserStore } from '../lib/users/store.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { type Cost, type Figure, summarize } from './figures.ts';
import { times } from './sample.ts';
import { newcomers } from './writes.ts';

const PARALLEL_WRITERS = 25;
const WRITES = 2_000;
const QUICK_WRITES = 200;
const RATES = [10, 100];
const QUICK_RATES = [10];
/** The fold is at its usual pace, a few seconds late, after so long. */
const WARM_UP_MS = 5_000;
const PAGES = 20;
const PAUSE_MS = 250;
const WATCHED_SECONDS = (WARM_UP_MS + PAGES * PAUSE_MS) / 1_000;

/** The first page by name, asked some times. */
async function askPages(database: Database, pages: number, pauseMs: number): Promise<Cost[]> {
  const listing = createUserListing(database);
  const order = totalOrder([{ property: 'name', direction: 'asc' }]);
  const query = { filters: {}, keyword: undefined, order, number: 0, size: 20 };
  const costs: Cost[] = [];
  for (let i = 0; i < pages; i++) {
    costs.push({ units: await metered((meter) => listing.page(query).then(() => meter.readUnits)) });
    await sleep(pauseMs);
  }
  return costs;
}

/** Calls something so many times a second, however long it takes. */
function repeat(rate: number, run: () => Promise<unknown>) {
  const started = performance.now();
  const running = new Set<Promise<unknown>>();
  let done = 0;
  const timer = setInterval(() => {
    const promise = run()
      .then(
        () => done++,
        () => {},
      )
      .finally(() => running.delete(promise));
    running.add(promise);
  }, 1_000 / rate);
  return {
    /** @returns how many a second there were */
    async stop(): Promise<number> {
      clearInterval(timer);
      await Promise.all(running);
      return (done / (performance.now() - started)) * 1_000;
    },
  };
}

async function whileWriting(database: Database, rate: number): Promise<Figure[]> {
  const users = createUserStore(database);
  const draw = newcomers();
  const writer = repeat(rate, () => users.create(draw()));
  const fold = createFold(database);
  const ended = new AbortController();
  const folding = (async () => {
    while (!ended.signal.aborted) await fold.run(WARM_UP_MS);
  })();
  await sleep(WARM_UP_MS);
  const costs = await askPages(database, PAGES, PAUSE_MS);
  const achieved = await writer.stop();
  ended.abort();
  await folding;
  const title = `first page by name in the first ${WATCHED_SECONDS} seconds of ${rate} writes a second`;
  return [
    summarize(title, {}, costs),
    summarize(`writes a second that this machine took of those ${rate}`, {}, [{ units: achieved }]),
  ];
}

export async function measureTraffic(database: Database, isQuick: boolean): Promise<Figure[]> {
  const count = isQuick ? QUICK_WRITES : WRITES;
  const users = createUserStore(database);
  const draw = newcomers();
  const before = await askPages(database, 3, 0);
  await inParallel(times(count, draw), PARALLEL_WRITERS, (fields) => users.create(fields));
  const unfolded = await askPages(database, 3, 0);
  await createFold(database, FOLD_AT_ONCE).run(UNTIL_ALL_IS_FOLDED);
  const after = await askPages(database, 3, 0);
  const page = 'first page by name';
  const writes = `${count.toLocaleString('en-US')} parallel writes`;
  const figures = [
    summarize(`${page} before ${writes}`, { most: 3 }, before),
    summarize(`${page} after them, while none is folded`, {}, unfolded),
    summarize(`${page} after them, when all are folded`, { most: 3 }, after),
  ];
  for (const rate of isQuick ? QUICK_RATES : RATES) figures.push(...(await whileWriting(database, rate)));
  return figures;
}
