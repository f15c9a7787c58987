import { createReplay } from '../../dynamodb/replay.ts';
import { ServiceError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { type Journal, JournalMoved, READ_WITHIN_MS, readJournal, withJournal } from '../journal/journal.ts';
import { createSpending } from './budget.ts';
import { createView, type View } from './view.ts';

/** What was computed from lists and statistics together with a journal. */
export interface Answer<Result> {
  result: Result;
  view: View;
}

/** More readings than this mean that writers change what is read faster than it can be read. */
const MAX_READINGS = 5;

/**
 * About what is read within a second, and at most a part of the budget: a more expensive page is read after its journal, and what was read
 * before counts.
 */
const FAST = { budgetUnits: 200, budgetCalls: 150 };
const FAST_SHARE = 4;

function fastSizes({ sizes }: Database): Database['sizes'] {
  if (sizes.budgetUnits <= FAST.budgetUnits) return sizes;
  return { ...sizes, ...FAST, budgetUnits: Math.min(FAST.budgetUnits, sizes.budgetUnits / FAST_SHARE) };
}

const isSame = (a: Journal, b: Journal): boolean =>
  a.epoch === b.epoch && a.tag === b.tag && a.batch.length === b.batch.length;

/** Undefined when a fold has begun since the journal was read. */
async function unlessMoved<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof JournalMoved) return undefined;
    throw error;
  }
}

/**
 * What a guess gives. It may be refused or fail where the final answer does not: it may have read statistics that are replaced and
 * deleted, and what costs too much to be guessed is read after its journal.
 */
async function guessed<Found>(guess: Promise<Found>): Promise<{ found?: Found | undefined; isLarge?: boolean }> {
  try {
    return { found: await unlessMoved(guess) };
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 500) return { isLarge: error.status === 400 };
    throw error;
  }
}

/**
 * Computes an answer of one state: it has every write that was acknowledged before the request, and none that its total, its
 * ranks and its tag do not have. The journal is read last, because a user who is created after it is read can be in a list. Then the
 * answer is computed again from the same responses, until nothing had to be read after the journal.
 *
 * What cannot be read within a second is read after its journal instead: then a user who is written meanwhile may be shown
 * and not be counted.
 *
 * @param guess a journal from before, perhaps long ago. It costs another reading if it is too different
 */
export async function inOneState<Result>(
  database: Database,
  guess: Journal,
  compute: (view: View) => Promise<Result>,
): Promise<Answer<Result>> {
  const { runtime } = database;
  const spending = createSpending(database);
  const answer = async (given: Partial<Database>, journal: Journal, spent = 0): Promise<Answer<Result>> => {
    const view = createView({ ...database, ...given }, journal, spent);
    return { result: await compute(view), view };
  };
  /** What was read for nothing counts. */
  const late = (journal: Journal) => answer({ dynamo: spending.dynamo }, journal, spending.units);
  const began = runtime.monotonic();
  const sizes = fastSizes(database);
  let replay = createReplay(spending.dynamo);
  let { found, isLarge } = await guessed(answer({ dynamo: replay.dynamo, sizes }, { ...guess, expect: () => {} }));
  if (sizes === database.sizes) isLarge = false;
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    // What ended early may have left queries under way, which would be answered after the journal.
    replay = replay.again();
    const journal = await unlessMoved(readJournal(database));
    if (!journal) continue;
    const isLate = runtime.monotonic() - began > READ_WITHIN_MS;
    if (isLarge || isLate) {
      // What was read within a second before its journal need not be read again, and counts when it is asked for.
      const again = () => answer({ dynamo: replay.again(true).dynamo }, journal);
      const answered = await unlessMoved(isLate ? late(journal) : again());
      if (answered) return answered;
      break;
    }
    if (found && isSame(journal, found.view.journal)) return found;
    found = await unlessMoved(answer({ dynamo: replay.dynamo }, journal));
    if (found && replay.asked === 0) return found;
  }
  return withJournal(database, late);
}
