/** The fold, and pages beside a constant stream of creates. */
import { metered } from '../lib/ground/index.ts';
import { createFold, type FoldOptions } from '../lib/replica/index.ts';
import { createIdSource } from '../lib/users/ids.ts';
import { createUserListing } from '../lib/users/lists.ts';
import { totalOrder } from '../lib/users/order.ts';
import { createMany } from '../tools/samples/createMany.ts';
import { FOLD_AT_ONCE, type Store, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { type Cost, costOf, type Figures, one, spread } from './figures.ts';
import { newcomers } from './population.ts';
import { PAGE_SIZE, times } from './sample.ts';

/** Entries that are folded to warm up, and entries that are measured: some whole batches. */
const BACKLOG = { warmUp: 1_000, measured: 8_000 };
const QUICK_BACKLOG = { warmUp: 100, measured: 400 };

/** As at a stage, where a batch waits for three seconds, but for a journal of one read unit, which may rest there. */
const AS_DEPLOYED: FoldOptions = { restMs: 0 };

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

const STEP_MS = 500;
const LAST_MS = 60_000;
/** Milliseconds that the fold works on a batch of some hundred entries, besides waiting. */
const BATCH_MS = 500;
/** As long as a call of the fold may take at a stage, and what is between two calls. */
const RUN_MS = 90_000;
const PAUSE_MS = 100;

/**
 * Creates at a constant rate, and pages, while a fold runs as at a stage: by a clock that goes on only while the fold waits, so that the speed
 * of this machine says nothing.
 */
export async function measureBeside({ database }: Store, { seconds, rate }: Load): Promise<Figures> {
  const began = database.runtime.now();
  const [units, entries]: [number[], number[]] = [[], []];
  const draw = newcomers();
  let [time, created] = [0, 0];
  const runtime = { ...database.runtime, now: () => began + time, monotonic: () => time };
  const listing = createUserListing({ ...database, runtime });
  const nextId = createIdSource(runtime);

  async function pass(milliseconds: number): Promise<void> {
    for (const end = time + milliseconds; time < end; ) {
      time = Math.min(time + STEP_MS, end);
      const due = Math.floor((time * rate) / 1_000) - created;
      await createMany({ ...database, runtime }, times(due, draw), nextId);
      created += due;
      await metered(async (meter) => {
        await listing.page({ filters: {}, order: totalOrder([]), number: 0, size: PAGE_SIZE });
        if (time < seconds * 1_000 - LAST_MS) return;
        units.push(meter.readUnits);
        entries.push(meter.journal ?? 0);
      });
    }
  }

  const folding = { ...runtime, sleep: (milliseconds: number) => pass(milliseconds + BATCH_MS) };
  const fold = createFold({ ...database, runtime: folding });
  while (time < seconds * 1_000) {
    await fold.run(RUN_MS);
    await pass(PAUSE_MS);
  }
  return { 'first page, read units': spread(units), 'entries in the journal': spread(entries) };
}
