import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../parallel.ts';
import { padded } from '../keys.ts';
import { contains, isEmpty, isWithin, keyIn, type Span, spanQuery } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';
import { overBudget } from './budget.ts';
import { entriesPerUnit, PARALLEL_READS, UNITS_PER_MEGABYTE } from './cost.ts';
import type { Direction } from './order.ts';
import type { View } from './view.ts';

export interface ScanOptions {
  direction: Direction;
  /** How many users the caller expects to need: a short read costs less, a long one takes fewer round trips. */
  expected: number;
  /** The most users in one page: smaller pages let the caller use the first users earlier. */
  most?: number;
  /** The read units that the view may come to: what a request may read, unless told. A page reads about as many at most. */
  untilUnits?: number;
  /** For a stream: reads the journal again if it is old, and says whether it did. */
  renew?: () => Promise<boolean>;
}

/** Who needs more than expected gets pages that are twice as large each time, up to this one. */
const LARGEST = 8_000;

/** A user in a list, at its key. */
interface Entry {
  user: User;
  key: string;
}

/** How many users a page may read. @throws {ServiceError} 400 when nothing is left */
function mostUsers({ database, units }: View, span: Span, until: number): number {
  if (units >= until) throw overBudget(database.sizes.budgetUnits);
  return until - units >= UNITS_PER_MEGABYTE
    ? Number.POSITIVE_INFINITY
    : Math.ceil((until - units) * entriesPerUnit(span));
}

/** L1, L2. The pages of a span, as the index has them. */
async function* pages(view: View, span: Span, options: ScanOptions) {
  const { sizes, tables, dynamo } = view.database;
  const { direction, expected, most = Number.POSITIVE_INFINITY, untilUnits = sizes.budgetUnits } = options;
  const { sortKey } = span.list.index;
  const input = { ...spanQuery(tables.users, span), ScanIndexForward: direction === 'asc' };
  let [size, left] = [Math.max(1, expected), expected];
  let from: QueryCommandInput['ExclusiveStartKey'];
  do {
    const Limit = Math.min(most, Math.ceil(size), mostUsers(view, span, untilUnits));
    const limited = { ...input, ...(Number.isFinite(Limit) && { Limit }), ExclusiveStartKey: from };
    const response = await dynamo.send(new QueryCommand(limited));
    view.units += response.ConsumedCapacity?.CapacityUnits ?? 0;
    view.calls++;
    from = response.LastEvaluatedKey;
    const entries = (response.Items ?? []).map((item): Entry => {
      const user = toUser(item);
      const key: unknown = item[sortKey];
      return { user, key: typeof key === 'string' ? key : padded(user.id) };
    });
    yield { entries, isLast: from === undefined };
    left -= entries.length;
    size = left > 0 ? left : Math.min(2 * Limit, LARGEST);
  } while (from !== undefined);
}

/** The users that the journal has in a span, in a direction. */
function writtenIn({ journal }: View, span: Span, direction: Direction): Entry[] {
  const { list } = span;
  const entries = [...journal.latest.values()].flatMap(({ after }) =>
    after && contains(list, after) ? [{ user: after, key: keyIn(list.index, after) }] : [],
  );
  const sign = direction === 'asc' ? 1 : -1;
  return entries.filter(({ key }) => isWithin(span, key)).sort((a, b) => sign * compareCodePoints(a.key, b.key));
}

/**
 * The users of a span, in a direction, page by page. The journal replaces what the index has about a user: an index follows its
 * table with a delay.
 */
export async function* scan(view: View, span: Span, options: ScanOptions): AsyncGenerator<User[]> {
  const { direction, renew } = options;
  const isBefore = (a: string, b: string) => compareCodePoints(a, b) * (direction === 'asc' ? 1 : -1) < 0;
  if (isEmpty(span)) return;
  let written = writtenIn(view, span, direction);
  for await (const { entries, isLast } of pages(view, span, options)) {
    const users: User[] = [];
    let next = 0;
    for (const { user, key } of entries) {
      // Even if the index has a replaced version: every user up to its key has been seen.
      for (let own = written[next]; own && !isBefore(key, own.key); own = written[++next]) users.push(own.user);
      if (!view.journal.latest.has(user.id) && isWithin(span, key)) users.push(user);
    }
    written = written.slice(next);
    yield users;
    const end = entries.at(-1)?.key;
    // Do not renew the journal after the last page: the new one may lack entries that were folded, and the index is not read again.
    if (!isLast && end !== undefined && (await renew?.())) {
      written = writtenIn(view, span, direction).filter(({ key }) => isBefore(end, key));
    }
  }
  yield written.map(({ user }) => user);
}

/** The first users of a span, in a direction. */
export async function takeFirst(view: View, span: Span, direction: Direction, count: number): Promise<User[]> {
  const users: User[] = [];
  if (count <= 0) return users;
  for await (const some of scan(view, span, { direction, expected: count })) {
    users.push(...some);
    if (users.length >= count) break;
  }
  return users.slice(0, count);
}

/** All users of some parts of lists that match, one part after the other. */
export async function readAll(view: View, spans: readonly Span[], matches: (user: User) => boolean): Promise<User[]> {
  const parts = await inParallel(spans, PARALLEL_READS, async (span) => {
    const users: User[] = [];
    for await (const some of scan(view, span, { direction: 'asc', expected: Number.POSITIVE_INFINITY })) {
      users.push(...some.filter(matches));
    }
    return users;
  });
  return parts.flat();
}
