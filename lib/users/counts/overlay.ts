import type { Change } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Overlay } from '../tree/read.ts';
import type { Delta } from '../tree/rows.ts';
import type { User } from '../user.ts';

/** What a change adds, by what a user adds: the user before it is taken away. */
export const changed = <Each>({ before, after }: Change, deltasOf: (user: User, sign: 1 | -1) => Each[]): Each[] => [
  ...(before ? deltasOf(before, -1) : []),
  ...(after ? deltasOf(after, 1) : []),
];

/** What the journal adds to a map, by what a user adds. */
export function overlayOf({ epoch, fresh, batch, expect }: Journal, deltasOf: (user: User, sign: 1 | -1) => Delta[]) {
  const deltas = (change: Change) => changed(change, deltasOf);
  return { epoch, fresh: fresh.flatMap(deltas), batch: batch.flatMap(deltas), expect } satisfies Overlay;
}
