import { fault } from '../errors.ts';
import { CONFLICT_DELAYS, type Delays, FAILURE_DELAYS, THROTTLING_DELAYS } from './retry.ts';

/** What came of a write: a condition did not hold, or it may be tried again after some time. */
export type Outcome = 'written' | 'refused' | Delays;

/** By the code that DynamoDB gives a statement, or an item of a transaction. Any other code is a fault of this service. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  None: 'written',
  ConditionalCheckFailed: 'refused',
  DuplicateItem: 'refused',
  TransactionConflict: CONFLICT_DELAYS,
  InternalServerError: FAILURE_DELAYS,
  ProvisionedThroughputExceeded: THROTTLING_DELAYS,
  RequestLimitExceeded: THROTTLING_DELAYS,
  ThrottlingError: THROTTLING_DELAYS,
};

/** Names the code only: the message may quote what was sent. */
export function outcomeOf(code: string | undefined): Outcome {
  const outcome = OUTCOMES[code ?? 'None'];
  if (outcome === undefined) throw fault(`DynamoDB refused a write: ${code}`);
  return outcome;
}

/** How long to wait before the writes of some outcomes are tried again. */
export const delaysOf = (outcomes: readonly Outcome[]): Delays =>
  outcomes.reduce<Delays>(
    (longest, each) => (typeof each === 'object' && each.base > longest.base ? each : longest),
    CONFLICT_DELAYS,
  );
