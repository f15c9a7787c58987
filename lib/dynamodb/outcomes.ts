import { fault } from '../ground/index.ts';
import { delaysAfter } from './errors.ts';
import { CONFLICT_DELAYS, type Delays } from './retry.ts';

/** The result of a write: a condition did not hold, or it may be tried again after some time. */
export type Outcome = 'written' | 'refused' | Delays;

/**
 * By the code that DynamoDB gives a statement, or an item of a transaction. Any other code is a fault of this service. It names the code
 * only: the message may quote what was sent.
 */
export function outcomeOf(code = 'None'): Outcome {
  if (code === 'None') return 'written';
  if (code === 'ConditionalCheckFailed' || code === 'DuplicateItem') return 'refused';
  const delays = delaysAfter(code);
  if (!delays) throw fault(`DynamoDB refused a write: ${code}`);
  return delays;
}

/** How long to wait before the writes of some outcomes are tried again. */
export const delaysOf = (outcomes: readonly Outcome[]): Delays =>
  outcomes.reduce<Delays>(
    (longest, each) => (typeof each === 'object' && each.base > longest.base ? each : longest),
    CONFLICT_DELAYS,
  );
