import type { Change } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Overlay } from '../tree/read.ts';
import type { Delta } from '../tree/rows.ts';

/** What the journal adds to a map. */
export const overlayOf = (journal: Journal, deltasOf: (change: Change) => Delta[]): Overlay => ({
  epoch: journal.epoch,
  fresh: journal.fresh.flatMap(deltasOf),
  batch: journal.batch.flatMap(deltasOf),
  expect: journal.expect,
});
