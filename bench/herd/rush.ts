/** Many creates a second for a minute, a list each second, and a fold, by the rates of a table that has been warmed for them. */
import { metered } from '../../lib/ground/index.ts';
import { createFold } from '../../lib/replica/index.ts';
import { raiseParts, readJournal } from '../../lib/replica/internals.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import { totalOrder } from '../../lib/users/order.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { Store } from '../data.ts';
import { type Figures, one, spread } from '../figures.ts';
import { newcomers } from '../population.ts';
import { PAGE_SIZE, times } from '../sample.ts';
import { createClock } from './clock.ts';
import { createPartitions } from './partitions.ts';
import { throttled } from './throttle.ts';

/** 12,000 write units a second, as warm throughput. */
const WARM = 12;
/** With this one no two parts of the journal are in one partition; with 0 two are, and the fold is left behind. */
const SALT = 1;

const PARTS = 4;
const SECONDS = 60;
/** Creates a second. */
const RATE = 1_000;
const CONTAINERS = 60;
const AFTER_MS = 20_000;
const RUN_MS = 90_000;

export async function measureRush(store: Store): Promise<Figures> {
  const clock = createClock(Date.now());
  const { monotonic, sleep } = clock.runtime;
  const partitions = createPartitions(WARM, monotonic, SALT);
  const own = { ...store, database: { ...store.database, limits: { ...store.database.limits, journalParts: PARTS } } };
  let throttles = 0;
  const container = () => throttled(own, { clock, partitions, onRefused: () => throttles++ });
  const found = { started: 0, done: 0, refused: 0, wrong: 0, isOver: false };
  const [waits, units]: [number[], number[]] = [[], []];
  const draw = newcomers();
  await raiseParts(own.database, PARTS);

  async function create(users: ReturnType<typeof createUserStore>): Promise<void> {
    found.started++;
    const began = monotonic();
    await users.create(draw()).then(
      () => found.done++,
      () => found.refused++,
    );
    waits.push(monotonic() - began);
  }

  async function createAll(): Promise<void> {
    const all = times(CONTAINERS, () => createUserStore(container()));
    const running: Promise<void>[] = [];
    for (let i = 0; i < SECONDS * RATE; i++) {
      const users = all[i % CONTAINERS];
      if (users) running.push(create(users));
      await sleep(1_000 / RATE);
    }
    await Promise.all(running);
  }

  async function fold(): Promise<void> {
    const { run } = createFold(container());
    for (; !found.isOver; await sleep(100)) await run(RUN_MS).catch(() => {});
  }

  const listing = createUserListing(container());
  const totalNow = () =>
    metered(async (meter) => {
      const page = await listing.page({ filters: {}, order: totalOrder([]), number: 0, size: PAGE_SIZE });
      return { total: 'total' in page ? page.total : 0, units: meter.readUnits };
    });

  async function list(first: number): Promise<void> {
    for (; !found.isOver; await sleep(1_000)) {
      const least = first + found.done;
      const page = await totalNow();
      if (page.total < least || page.total > first + found.started) found.wrong++;
      units.push(page.units);
    }
  }

  return clock.run(async () => {
    const { total } = await totalNow();
    const others = Promise.all([fold(), list(total)]);
    await createAll();
    const took = monotonic();
    const { length } = (await readJournal(own.database)).entries;
    await sleep(AFTER_MS);
    const left = (await readJournal(own.database)).entries.length;
    found.isOver = true;
    await others;
    return {
      'creates a second': one((1_000 * found.done) / took),
      'creates refused': one(found.refused),
      'milliseconds of a create': spread(waits),
      'lists that lack a create, or have too many': one(found.wrong),
      'read units of a list': spread(units),
      'entries in the journal, at the end': one(length),
      'entries in the journal, 20 seconds later': one(left),
      'attempts that were throttled': one(throttles),
    };
  });
}
