import {
  type FeedChange,
  type FeedPart,
  firstKept,
  historyKey,
  isExpired,
  isHistory,
  isKept,
  isOfFeed,
  restoreHistoryKey,
  toFeedPart,
} from '../../lib/changes/items.ts';
import { scan } from '../../lib/dynamodb/index.ts';
import type { Head, JournalEntry } from '../../lib/replica/index.ts';
import type { Database } from '../../lib/users/database.ts';

const nameOf = ({ id, version }: { id: number; version: number }): string =>
  Object.values(historyKey({ id, version })).join();

/** A change is one version above the one before it, unless it begins another life with the same id. */
const follows = ({ version, type }: FeedChange, before: FeedChange | undefined): boolean =>
  !before || version === before.version + 1 || (type === 'created' && version > before.version);

/** The last batch that was kept when the head was read. Later ones may be read in part. */
const lastKept = ({ batch, batchBefore, lastBatch }: Head): number => (batch.length > 0 ? batchBefore : lastBatch);

/** The changes of the present feed by user, in its order, and how many batches or parts of them are missing after the first one. */
function join(parts: readonly FeedPart[], head: Head) {
  const inOrder = parts.toSorted((a, b) => a.epoch - b.epoch || a.place - b.place);
  let missing = 0;
  let end: FeedPart | undefined;
  for (const part of inOrder) {
    const isNext = part.epoch === end?.epoch ? part.place === end.place + end.changes.length : part.place === 0;
    const isLinked = !end || part.epoch === end.epoch || part.previous === end.epoch;
    if (!isNext || !isLinked) missing++;
    end = part;
  }
  if (end && end.epoch < lastKept(head)) missing++;
  const changes = inOrder.flatMap(({ epoch, changes }) => changes.map((change) => ({ ...change, epoch })));
  return { versions: Map.groupBy(changes, ({ id }) => id), missing };
}

/**
 * D17. Compares what is kept of changes with users who were read before: each change is in the feed once, in the order of versions, and in the
 * history, or erased there; and the last one of a user is hers, unless the journal has it, which was read before, too.
 *
 * @returns how many changes there are, and how many are missing, come twice or are not in order
 */
export async function compareChanges(
  database: Database,
  head: Head,
  versions: ReadonlyMap<number, number>,
  entries: readonly JournalEntry[],
): Promise<{ changes: number; wrong: number }> {
  const now = database.runtime.now();
  const { epoch } = firstKept(head, 0, now);
  const parts: FeedPart[] = [];
  const kept = new Map<string, boolean>();
  await scan(database, database.tables.directory, (items) => {
    for (const item of items) {
      if (isExpired(now, item)) continue;
      if (isOfFeed(head.feed, item)) parts.push(toFeedPart(item));
      else if (isHistory(item)) kept.set(nameOf(restoreHistoryKey(item)), isKept(item));
    }
  });
  const waiting = new Set(entries.map(({ id }) => id));
  const { versions: told, missing } = join(
    parts.filter((part) => part.epoch >= epoch),
    head,
  );
  let [changes, wrong] = [0, missing];
  for (const [id, own] of told) {
    changes += own.length;
    const isLost = (change: FeedChange & { epoch: number }) =>
      !kept.delete(nameOf(change)) && change.epoch <= lastKept(head);
    wrong += own.filter((change, i) => !follows(change, own[i - 1]) || isLost(change)).length;
    const last = own.at(-1)?.version ?? 0;
    if (!waiting.has(id) && (versions.get(id) ?? 0) > last) wrong++;
  }
  return { changes, wrong };
}
