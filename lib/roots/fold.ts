/** The composition root of the fold. */

import { KEEPER } from '../changes/keep.ts';
import { forgettingFlag } from '../users/unique.ts';
import { database, numberVariable } from './database.ts';
import { createStageFold } from './replicaStage.ts';

/** How late DynamoDB's indexes may be at this stage. */
const minimumAgeMs = numberVariable('MINIMUM_AGE_MS', 2_000);

/** How long a few entries may wait for others. */
const restMs = numberVariable('JOURNAL_REST_MS', 10_000);

const { run } = createStageFold({ ...database, keeper: KEEPER }, { minimumAgeMs, restMs });

export const fold = { run: forgettingFlag(database, run) };
