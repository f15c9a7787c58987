import { getItems } from '../dynamodb/index.ts';
import { bytesSent, chunksOf, MOST_SENT } from '../ground/index.ts';
import { type Origin, originOf } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import { restoreChange } from '../users/entry.ts';
import type { User } from '../users/user.ts';
import { back, type FeedQuery, forth, take } from './feed.ts';
import {
  type FeedChange,
  type FeedToken,
  historyKey,
  isExpired,
  isKept,
  MOST_LOOKED_AT,
  requireKept,
  writeToken,
} from './items.ts';

/** A change as the feed shows it. Without its writer and `user` if it was erased. */
export interface ShownChange extends FeedChange, Origin {
  /** After a deletion: as it was. */
  user?: User;
}

export interface ShownQuery extends FeedQuery {
  /** Only changes by these writers. Undefined: by all. */
  by?: readonly string[] | undefined;
}

export interface FeedPage {
  changes: ShownChange[];
  /** The token of the next page. Absent at the oldest change. */
  next?: string;
}

/** Histories in which a writer is looked for at a time: in one call. */
const SEARCHED = 100;

/** D13. Some changes, each with its user and its writer from the history, as it is now: what was erased is not shown. A read unit for each. */
export async function showChanges(database: Database, changes: readonly FeedChange[]): Promise<ShownChange[]> {
  if (changes.length === 0) return [];
  const items = await getItems(database, database.tables.directory, changes.map(historyKey));
  const nameOf = ({ pk, sk }: Record<string, unknown>) => `${pk} ${sk}`;
  const kept = new Map(items.map((item) => [nameOf(item), item]));
  const now = database.runtime.now();
  return changes.map((change) => {
    const item = kept.get(nameOf(historyKey(change)));
    if (!item || !isKept(item) || isExpired(now, item)) return change;
    const restored = restoreChange(change, item);
    if (!restored) return change;
    const user = restored.after ?? restored.before;
    return { ...change, ...originOf(restored), ...(user && { user }) };
  });
}

const isBy = ({ by }: ShownChange, writers: readonly string[] | undefined): boolean =>
  !writers || (by !== undefined && writers.includes(by));

/**
 * A page of the feed. The writer of a change is known from the history alone, so a writer costs a read unit for each change that is looked at,
 * and not for each that is shown.
 *
 * @throws {ServiceError} 404 where no changes are kept, 400 for a text that is not a token, 410 for one of another feed, or when changes after it are no longer kept
 */
export async function readFeed(database: Database, query: ShownQuery): Promise<FeedPage> {
  requireKept(database);
  const { before, by, size } = query;
  const walk = (before === undefined ? forth : back)(database, query);
  const read = await take<FeedToken | undefined>(walk, by ? { ...query, size: MOST_LOOKED_AT } : query);
  const changes: ShownChange[] = [];
  let bytes = 0;
  const pageTo = (next: typeof read.next): FeedPage => ({ changes, ...(next && { next: writeToken(next) }) });
  for (const some of chunksOf(read.passed, by ? SEARCHED : size)) {
    const shown = await showChanges(
      database,
      some.map(({ change }) => change),
    );
    for (const [i, change] of shown.entries()) {
      if (!isBy(change, by)) continue;
      changes.push(change);
      bytes += bytesSent(change);
      if (changes.length === size || bytes > MOST_SENT) return pageTo(some[i]?.next);
    }
  }
  return pageTo(read.next);
}
