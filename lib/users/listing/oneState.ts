import { createReplay } from '../../dynamodb/replay.ts';
import { ServiceError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { type Journal, JournalMoved, READ_WITHIN_MS, readJournal, withJournal } from '../journal/journal.ts';
import { createSpending, type Spending } from './budget.ts';

/**
 * Computes something from lists and statistics together with a journal. `spent` is what the request has read for nothing: what is read before
 * the journal is read once, however often it is computed from.
 */
export type Read<Result> = (database: Database, journal: Journal, spent: number) => Promise<Result>;

/** What was computed, and the journal that it was computed with. */
export interface Answer<Result> {
  result: Result;
  journal: Journal;
}

/** More readings than this mean that writers change what is read faster than it can be read. */
const MAX_READINGS = 5;

/**
 * About what is read within a second, and at most a part of the budget: a more expensive page is read after its journal, and what was read
 * before counts.
 */
const FAST = { budgetUnits: 200, budgetCalls: 150 };
const FAST_SHARE = 4;

const isSame = (a: Journal, b: Journal): boolean =>
  a.epoch === b.epoch && a.tag === b.tag && a.batch.length === b.batch.length;

/** Undefined when a fold has begun since the journal was read. */
async function unlessMoved<Result>(computed: Promise<Result>): Promise<Result | undefined> {
  try {
    return await computed;
  } catch (error) {
    if (error instanceof JournalMoved) return undefined;
    throw error;
  }
}

/** Why there is no guess: a guess may be refused, or fail, where the final answer is not. */
interface NoGuess {
  /** It costs too much for a guess. Otherwise it has read statistics that are replaced and deleted. */
  isLarge: boolean;
}

async function guessed<Result>(
  computed: Promise<Result | undefined>,
): Promise<{ result: Result | undefined } | NoGuess> {
  try {
    return { result: await computed };
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 500) return { isLarge: error.status === 400 };
    throw error;
  }
}

/** What was read before the journal is of no use: it is too old, or incomplete. */
interface Late {
  journal?: Journal;
}

/** Reads, then reads the journal, then computes again from the same reads, until nothing had to be read after the journal. */
async function journalLast<Result>(
  database: Database,
  spending: Spending,
  guess: Journal,
  read: Read<Result>,
): Promise<Answer<Result> | Late> {
  const { runtime, sizes } = database;
  let replay = createReplay(spending.dynamo);
  const start = runtime.monotonic();
  const isLimited = sizes.budgetUnits > FAST.budgetUnits;
  const fastUnits = Math.min(FAST.budgetUnits, sizes.budgetUnits / FAST_SHARE);
  const fastSizes = isLimited ? { ...sizes, ...FAST, budgetUnits: fastUnits } : sizes;
  const fast = { ...database, dynamo: replay.dynamo, sizes: fastSizes };
  let known = guess;
  const first = await guessed(unlessMoved(read(fast, { ...guess, expect: () => {} }, 0)));
  let result = 'result' in first ? first.result : undefined;
  const isLarge = isLimited && 'isLarge' in first && first.isLarge;
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    // What ended early may have left queries under way, which would be answered after the journal.
    replay = replay.again();
    const journal = await unlessMoved(readJournal(database));
    if (!journal) continue;
    if (isLarge || runtime.monotonic() - start > READ_WITHIN_MS) return { journal };
    if (result !== undefined && isSame(journal, known)) return { result, journal };
    result = await unlessMoved(read({ ...database, dynamo: replay.dynamo }, journal, 0));
    if (result !== undefined && replay.asked === 0) return { result, journal };
    known = journal;
  }
  return {};
}

/**
 * Computes an answer of one state: it has every write that was acknowledged before the request, and none that its total, its
 * ranks and its tag do not have. The journal is read last, because a user who is created after it is read can be in a list.
 * What cannot be read within a second is read after its journal instead: then a user who is written meanwhile may be shown
 * and not be counted.
 *
 * @param guess a journal from before, perhaps long ago. It costs another reading if it is too different
 */
export async function inOneState<Result>(
  database: Database,
  guess: Journal,
  read: Read<Result>,
): Promise<Answer<Result>> {
  const spending = createSpending(database);
  const attempt = await journalLast(database, spending, guess, read);
  const readAfter = (journal: Journal) => read({ ...database, dynamo: spending.dynamo }, journal, spending.units);
  if ('result' in attempt) return attempt;
  const { journal } = attempt;
  const result = journal && (await unlessMoved(readAfter(journal)));
  if (journal && result !== undefined) return { result, journal };
  return withJournal(database, async (newer) => ({ result: await readAfter(newer), journal: newer }));
}
