import { padded } from '../keys.ts';
import { boundsOf, contains, keyIn, type List } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';
import type { Direction } from './order.ts';
import { isEmpty, pages, type ScanOptions } from './pages.ts';
import type { KeyRange } from './stretches.ts';
import type { View } from './view.ts';

/** A user and its key in a list. */
interface Placed {
  user: User;
  key: string;
}

const least = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || compareCodePoints(a, b) < 0 ? a : b;
const greatest = (a: string | undefined, b: string | undefined) =>
  a === undefined ? b : b === undefined || compareCodePoints(a, b) > 0 ? a : b;

/** The part of a list to read, from its lowest key to its highest. */
function rangeOf(list: List, { direction, from, to }: ScanOptions): KeyRange {
  const [first, last] = boundsOf(list) ?? [];
  const [low, high] = direction === 'asc' ? [from, to] : [to, from];
  return { low: greatest(first, low), high: least(last, high) };
}

const isWithin = ({ low, high }: KeyRange, key: string): boolean =>
  (low === undefined || compareCodePoints(key, low) >= 0) && (high === undefined || compareCodePoints(key, high) <= 0);

/** The users that the journal has in a range of a list, in the direction of a scan. */
function recent({ journal }: View, list: List, range: KeyRange, direction: Direction): Placed[] {
  const placed = [...journal.latest.values()].flatMap(({ after }) =>
    after && contains(list, after) ? [{ user: after, key: keyIn(list, after) }] : [],
  );
  const sign = direction === 'asc' ? 1 : -1;
  return placed.filter(({ key }) => isWithin(range, key)).sort((a, b) => sign * compareCodePoints(a.key, b.key));
}

/**
 * The users of a list in the order of their keys, or backwards. The journal replaces what the index has about a
 * user: an index follows its table with a delay.
 */
export async function* scan(view: View, list: List, options: ScanOptions): AsyncGenerator<User> {
  const { direction } = options;
  const range = rangeOf(list, options);
  const isBefore = (a: string, b: string) =>
    direction === 'asc' ? compareCodePoints(a, b) < 0 : compareCodePoints(a, b) > 0;
  if (isEmpty(range)) return;
  let written = recent(view, list, range, direction);
  for await (const { items, isLast } of pages(view, list, range, options)) {
    let next = 0;
    let end: string | undefined;
    for (const item of items) {
      const user = toUser(item);
      const sortKey: unknown = item[list.index.sortKey];
      const key = typeof sortKey === 'string' ? sortKey : padded(user.id);
      // Even if the index has a replaced version: every user up to its key has been seen.
      for (let own = written[next]; own && !isBefore(key, own.key); own = written[++next]) yield own.user;
      if (!view.journal.latest.has(user.id)) yield user;
      end = key;
    }
    written = written.slice(next);
    const given = end;
    // Do not renew the journal after the last page: the new one may lack entries that were folded, and the index is not read again.
    if (!isLast && given !== undefined && (await view.refresh())) {
      written = recent(view, list, range, direction).filter(({ key }) => isBefore(given, key));
    }
  }
  for (const { user } of written) yield user;
}
