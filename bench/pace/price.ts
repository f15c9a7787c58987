import { type Meter, metered } from '../../lib/metering.ts';
import { PAUSE_MS } from '../../lib/tooling/local/foldTimer.ts';
import type { Database } from '../../lib/users/database.ts';
import { createFold } from '../../lib/users/fold/fold.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { arrive } from '../arrivals.ts';
import { KEEPING } from '../data.ts';
import { type Figure, summarize } from '../figures.ts';
import type { Title } from '../lines.ts';
import { startBar } from '../print.ts';
import { createLeapingClock, followCalls, type LeapingClock } from './clock.ts';
import { emptyJournal } from './journal.ts';

const RATES = [1, 10, 100] as const;

/** Of a million units on demand in us-east-1: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const DOLLARS = { write: 0.625, read: 0.125 };

/** How long one run of the fold may last, as a call by the timer of the local service. */
const RUN_MS = 5_000;

/** Several times what a fold gathers before it merges, so that the price of that is in the price of a create. */
const CREATES = 3_000;
const QUICK_CREATES = 40;
const QUICK_SECONDS = 3;
/** The fold is at its usual pace after so many creates, and after so long. */
const WARM_UP = { creates: 100, seconds: 12 };
const QUICK_WARM_UP = { creates: 20, seconds: 3 };
const PROGRESS_MS = 500;
/** How many times the creates there may be until something is folded. */
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

/** What each of them cost. @throws {Error} when there was none */
export function unitsEach(all: readonly UnitsOfSome[]): Units {
  const sum = (read: (some: UnitsOfSome) => number) => all.reduce((total, some) => total + read(some), 0);
  const count = sum((some) => some.count);
  if (count === 0) throw new Error('Nothing was written or folded while the price was measured');
  return { write: sum(({ write }) => write) / count, read: sum(({ read }) => read) / count };
}

/** Of a million creates, at so many units each. */
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
 * The price of creates at a constant rate, beside a fold that is called as the local service calls it. Time leaps while nothing is
 * done (see clock.ts): units do not depend on it, and a thousand creates at one a second take a minute.
 *
 * Creates and entries are counted apart, each after a warm-up. So neither a journal that grows nor one that is folded
 * at the end changes the price.
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
  /** A fold that is slower than the writes may need longer for its first warm run. One that folds nothing ends, too. */
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
      [`write units, ${at}`, summarize([{ units: units.write }])],
      [`read units, ${at}`, summarize([{ units: units.read }])],
      [`dollars for a million, ${at}`, summarize([{ units: dollarsAMillion(units) }])],
    );
  }
  // Its users were written in the future: nothing of them is left when time is as usual.
  await emptyJournal(timed);
  unfollow();
  return figures;
}
