/**
 * The merge of a container's replica, beside its requests: a slice of it in each, so that none waits for all of it. Until it is done,
 * requests go on with the replica that there is; then what has changed meanwhile moves to the merged one.
 *
 * It ends: each change that comes meanwhile brings a part of a step with it, so changes get at most twice as many.
 */
import { type Compaction, compaction, type Replica } from '../columns/index.ts';
import type { Runtime } from '../ground/index.ts';
import { type Limits, mergedFrom } from './limits.ts';

/** The changes that a step merges at least, at any number of rows. */
const CHANGES_OF_A_STEP = 64;

/** The milliseconds after which a request makes no further step: some steps take as long as others together, and garbage is collected beside. */
const LONGEST_MS = 5;

export function createMerging(limits: Limits, { monotonic }: Pick<Runtime, 'monotonic'>) {
  let running: Compaction | undefined;

  /**
   * Goes on with the merge, if there are many changes.
   *
   * @param news the number of changes that are new
   * @returns the same users: merged, when it is done
   */
  return (replica: Replica, news: number): Replica => {
    const merge = running?.base === replica.base ? running : compaction(replica);
    // A step that fails ends its merge; so does another base.
    running = undefined;
    if (replica.changed <= mergedFrom(limits, replica.total)) return replica;
    const due = Math.max(1, news / CHANGES_OF_A_STEP);
    const most = due + limits.mergeSteps - 1;
    const end = monotonic() + LONGEST_MS;
    for (let step = 0; step < due || (step < most && monotonic() < end); step++) {
      if (merge.next()) return merge.movedTo(replica);
    }
    running = merge;
    return replica;
  };
}
