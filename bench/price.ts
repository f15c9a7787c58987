import { type Meter, metered } from '../lib/metering.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { createUserStore } from '../lib/users/store.ts';
import type { UserFields } from '../lib/users/user.ts';
import { PAUSE_MS } from '../tools/local/foldTimer.ts';
import { arrive, createLeapingClock, followCalls, type LeapingClock } from './clock.ts';
import { KEEPING } from './data.ts';
import { type Figure, one } from './figures.ts';
import { emptyJournal } from './journal.ts';
import type { Title } from './lines.ts';
import { startBar } from './print.ts';

const RATES = [1, 10, 100] as const;

/** The price of a million on-demand units in us-east-1: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const DOLLARS = { write: 0.625, read: 0.125 };

/** How long a run of the fold may last. */
const RUN_MS = 5_000;

/** Several times as many as a fold gathers before it merges names, so that the price includes merges. */
const CREATES = 3_000;
const QUICK_CREATES = 40;
const QUICK_SECONDS = 3;
/** The fold is at its usual pace after so many creates and so many seconds. */
const WARM_UP = { creates: 100, seconds: 12 };
const QUICK_WARM_UP = { creates: 20, seconds: 3 };
const PROGRESS_MS = 500;
/** If nothing is folded, how many times as many creates there may be. */
const PATIENCE = 5;

/** What a create or an entry costs. */
export interface Units {
  write: number;
  read: number;
}

/** What some creates or entries cost together, in a request or a run of the fold. */
export interface UnitsOfSome extends Units {
  count: number;
}

/** What one of them costs on average. @throws {Error} when there was none */
export function unitsEach(all: readonly UnitsOfSome[]): Units {
  const sum = (read: (some: UnitsOfSome) => number) => all.reduce((total, some) => total + read(some), 0);
  const count = sum((some) => some.count);
  if (count === 0) throw new Error('Nothing was written or folded while the price was measured');
  return { write: sum(({ write }) => write) / count, read: sum(({ read }) => read) / count };
}

/** The dollars for a million creates that cost so many units each. */
export const dollarsAMillion = ({ write, read }: Units): number => write * DOLLARS.write + read * DOLLARS.read;

const unitsOf = ({ writeUnits, readUnits }: Meter, count: number): UnitsOfSome => ({
  write: writeUnits,
  read: readUnits,
  count,
});

interface Writing {
  clock: LeapingClock;
  draw: () => UserFields;
  /** Creates a second. */
  rate: number;
  isQuick: boolean;
}

/**
 * The price of creates at a constant rate, with a fold that rests after each run as in the local service. The clock leaps while nothing is
 * done (see clock.ts), as units do not depend on time.
 *
 * Creates and folded entries are counted separately, each after a warm-up. A journal that grows, or that is folded at the end, does
 * not change the price.
 */
async function priceAt(database: Database, { clock, draw, rate, isQuick }: Writing): Promise<Units> {
  const [users, fold] = [createUserStore(database), createFold(database, KEEPING)];
  const least = isQuick ? QUICK_WARM_UP : WARM_UP;
  const warmUp = Math.max(least.creates, rate * least.seconds);
  const creates = isQuick ? Math.max(QUICK_CREATES, rate * QUICK_SECONDS) : CREATES;
  const [atOnce, runs]: [UnitsOfSome[], UnitsOfSome[]] = [[], []];
  const bar = startBar(warmUp + creates, `creates at ${rate} a second`);

  const writer = arrive(clock, rate, () =>
    metered(async (meter) => {
      await users.create(draw());
      if (writer.done() >= warmUp) atOnce.push(unitsOf(meter, 1));
    }),
  );
  const ended = () => writer.done() + writer.failed();
  /** Goes on until there was a warm run that folded something, but not for ever. */
  const isOver = () =>
    ended() >= warmUp + creates && (runs.some(({ count }) => count > 0) || ended() >= PATIENCE * (warmUp + creates));
  const folding = (async () => {
    while (!isOver()) {
      const isWarm = ended() >= warmUp;
      await metered(async (meter) => {
        const { folded } = await fold.run(RUN_MS);
        if (isWarm) runs.push(unitsOf(meter, folded));
      });
      await clock.sleep(PAUSE_MS);
    }
  })();
  while (!isOver()) {
    await clock.sleep(PROGRESS_MS);
    bar.update(Math.min(warmUp + creates, ended()));
  }
  await folding;
  await writer.stop();
  bar.stop();
  if (writer.failed() > 0)
    throw new Error(`${writer.failed()} creates at ${rate} a second failed`, { cause: writer.failure() });
  const [first, later] = [unitsEach(atOnce), unitsEach(runs)];
  return { write: first.write + later.write, read: first.read + later.read };
}

/** All units of a create: at once in the request, and later in the fold. */
export async function measurePrice(
  database: Database,
  draw: () => UserFields,
  isQuick: boolean,
): Promise<[Title, Figure][]> {
  const figures: [Title, Figure][] = [];
  const clock = createLeapingClock();
  const unfollow = followCalls(database.dynamo, clock);
  const timed = { ...database, runtime: clock };
  for (const rate of RATES) {
    await emptyJournal(timed);
    const units = await priceAt(timed, { clock, draw, rate, isQuick });
    const at = rate === 1 ? (`at ${rate} create a second` as const) : (`at ${rate} creates a second` as const);
    figures.push(
      [`write units, ${at}`, one(units.write)],
      [`read units, ${at}`, one(units.read)],
      [`dollars for a million, ${at}`, one(dollarsAMillion(units))],
    );
  }
  // These users were written in the future, so their entries must be gone when the clock is right again.
  await emptyJournal(timed);
  unfollow();
  return figures;
}
