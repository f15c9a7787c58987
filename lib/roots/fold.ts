/** The composition root of the fold. */
import { numberVariable } from '../runtime.ts';
import { createFold } from '../users/fold/fold.ts';
import { database } from './database.ts';

/** How late DynamoDB's indexes may be at this stage. */
const minimumAgeMs = numberVariable('MINIMUM_AGE_MS', 2_000);

/** How long a few entries may wait for others. */
const restMs = numberVariable('JOURNAL_REST_MS', 10_000);

/** For how long changes are kept. */
const historyDays = numberVariable('HISTORY_DAYS', 30);

export const fold = createFold(database, { minimumAgeMs, restMs, historyDays });
