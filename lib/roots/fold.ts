/** The composition root of the fold. */

import { KEEPER } from '../changes/keep.ts';
import { forgetFlag } from '../users/unique.ts';
import { database, numberVariable } from './database.ts';
import { createStageFold } from './replicaStage.ts';

/** How late DynamoDB's indexes may be at this stage. */
const minimumAgeMs = numberVariable('MINIMUM_AGE_MS', 2_000);

/** How long a few entries may wait for others. */
const restMs = numberVariable('JOURNAL_REST_MS', 10_000);

const { run } = createStageFold({ ...database, keeper: KEEPER }, { minimumAgeMs, restMs });

export const fold: ReturnType<typeof createStageFold> = {
  async run(milliseconds) {
    // Where e-mails need not be unique, nobody writes their items, so these do not stay whole: not even if they were made too early.
    if (!database.uniqueEmails) await forgetFlag(database);
    return run(milliseconds);
  },
};
