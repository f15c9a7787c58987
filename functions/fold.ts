import { scheduled } from '../lib/http/scheduled.ts';
import { fold } from '../lib/roots/fold.ts';

/** Folds the journal into deltas, and these into the base, until nothing is left or the time is over. */
export const handler = scheduled({
  // Enough for a batch, and for a base of all users.
  lastMs: 240_000,
  run: (milliseconds) => fold.run(milliseconds),
  numbers: ({ left, oldestMs, sizePercent, broken, behindMs }) => [
    ['journalEntries', left],
    ['oldestEntrySeconds', oldestMs / 1_000],
    ['sizePercent', sizePercent],
    ['brokenItems', broken],
    ...(behindMs === undefined ? [] : ([['indexLagSeconds', behindMs / 1_000]] as const)),
  ],
});
