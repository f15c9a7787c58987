import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../lib/parallel.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import { createUserStore } from '../lib/users/store.ts';
import { arrive } from './arrivals.ts';
import { FOLD_AT_ONCE, KEEPING, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { type Cost, costOf, type Figure, readUnits, summarize } from './figures.ts';
import type { Title } from './lines.ts';
import { times } from './sample.ts';
import { newcomers } from './writes.ts';

const PARALLEL_WRITERS = 25;
const WRITES = 2_000;
const QUICK_WRITES = 200;
const RATES = [10, 100] as const;
const QUICK_RATES = [10] as const;
const WATCHED_SECONDS = 10;
/** After so long, the fold is at its usual pace, a few seconds behind the writes. */
const WARM_UP_MS = 5_000;
const PAUSE_MS = 250;
const PAGES = (WATCHED_SECONDS * 1_000 - WARM_UP_MS) / PAUSE_MS;

/** Asks for the first page by name several times. */
async function askPages(database: Database, pages: number, pauseMs: number): Promise<Cost[]> {
  const listing = createUserListing(database);
  const order = totalOrder([{ property: 'name', direction: 'asc' }]);
  const query = { filters: {}, keyword: undefined, order, number: 0, size: 20 };
  const costs: Cost[] = [];
  for (let i = 0; i < pages; i++) {
    costs.push(await costOf(readUnits, () => listing.page(query)));
    await sleep(pauseMs);
  }
  return costs;
}

async function whileWriting(database: Database, rate: (typeof RATES)[number]): Promise<[Title, Figure][]> {
  const users = createUserStore(database);
  const draw = newcomers();
  const writer = arrive(database.runtime, rate, () => users.create(draw()));
  const fold = createFold(database, KEEPING);
  const ended = new AbortController();
  const folding = (async () => {
    while (!ended.signal.aborted) await fold.run(WARM_UP_MS);
  })();
  await sleep(WARM_UP_MS);
  const costs = await askPages(database, PAGES, PAUSE_MS);
  const achieved = await writer.stop();
  ended.abort();
  await folding;
  return [
    [`in the first ${WATCHED_SECONDS} seconds of ${rate} writes a second`, summarize(costs)],
    [`writes taken of ${rate}`, summarize([{ units: achieved }])],
  ];
}

export async function measureTraffic(database: Database, isQuick: boolean): Promise<[Title, Figure][]> {
  const count = isQuick ? QUICK_WRITES : WRITES;
  const users = createUserStore(database);
  const draw = newcomers();
  const before = await askPages(database, 3, 0);
  await inParallel(times(count, draw), PARALLEL_WRITERS, (fields) => users.create(fields));
  const unfolded = await askPages(database, 3, 0);
  await createFold(database, FOLD_AT_ONCE).run(UNTIL_ALL_IS_FOLDED);
  const after = await askPages(database, 3, 0);
  const figures: [Title, Figure][] = [
    ['before many parallel writes', summarize(before)],
    ['after them, while none is folded', summarize(unfolded)],
    ['after them, when all are folded', summarize(after)],
  ];
  for (const rate of isQuick ? QUICK_RATES : RATES) figures.push(...(await whileWriting(database, rate)));
  return figures;
}
