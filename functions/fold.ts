import { fold } from '../lib/roots/fold.ts';
import { scheduled } from '../lib/scheduled.ts';

/** Folds the journal into the statistics until nothing is left or the time is over. */
export const handler = scheduled({
  // Enough for a batch.
  lastMs: 30_000,
  run: (milliseconds) => fold.run(milliseconds),
  numbers: ({ folded, left, oldestMs }) => [
    ['foldedEntries', folded],
    ['journalEntries', left],
    ['oldestEntrySeconds', oldestMs / 1_000],
  ],
});
