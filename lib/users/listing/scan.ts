import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { padded } from '../keys.ts';
import { boundsOf, contains, keyBeside, keyIn, type List, sortKeyIn } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';
import type { Direction } from './order.ts';
import { canLeaveOut, type KeyRange, stretchesWith } from './stretches.ts';
import type { View } from './view.ts';

export interface ScanOptions {
  direction: Direction;
  /** The first key to read, in this direction. */
  from?: string | undefined;
  /** The last key to read, in this direction. */
  to?: string | undefined;
  /** How many users the caller expects to need: a short read costs less, a long one takes fewer round trips. */
  expected: number;
  /** How many users to read first, where the caller may need no more. */
  probe?: number;
  /** Users without this in their last names may be left out. */
  keyword?: string | undefined;
}

/** A user and its key in a list. */
interface Placed {
  user: User;
  key: string;
}

/** A page of DynamoDB has at most a megabyte. Smaller pages let the caller use the first users earlier. */
const MAX_ITEMS_PER_QUERY = 1_000;

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

/** DynamoDB refuses such a range. */
const isEmpty = ({ low, high }: KeyRange): boolean =>
  low !== undefined && high !== undefined && compareCodePoints(low, high) > 0;

const isWithin = ({ low, high }: KeyRange, key: string): boolean =>
  (low === undefined || compareCodePoints(key, low) >= 0) && (high === undefined || compareCodePoints(key, high) <= 0);

function queryInput({ database }: View, list: List, { low, high }: KeyRange, direction: Direction): QueryCommandInput {
  const { index, partition } = list;
  const conditions = [
    '#partition = :partition',
    low !== undefined && high !== undefined
      ? '#sort BETWEEN :low AND :high'
      : low !== undefined
        ? '#sort >= :low'
        : high !== undefined && '#sort <= :high',
  ];
  const isBounded = low !== undefined || high !== undefined;
  return {
    TableName: database.tables.users,
    IndexName: index.name,
    ScanIndexForward: direction === 'asc',
    KeyConditionExpression: conditions.filter(Boolean).join(' AND '),
    ExpressionAttributeNames: { '#partition': index.partitionKey, ...(isBounded && { '#sort': index.sortKey }) },
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(low !== undefined && { ':low': sortKeyIn(list, low) }),
      ...(high !== undefined && { ':high': sortKeyIn(list, high) }),
    },
  };
}

/** After a smaller page the next one is twice as large. After a larger page the next one has an eighth of the expected number. */
const FEW = 128;

interface Page {
  items: Record<string, unknown>[];
  isLast: boolean;
}

/** Pages of a list. The first ones have the expected number of users; after them, what cannot have the keyword is left out. */
async function* pages(view: View, list: List, whole: KeyRange, options: ScanOptions): AsyncGenerator<Page> {
  const { direction, expected, probe = expected, keyword } = options;
  let [size, left] = [Math.max(1, probe), expected];

  /** @returns the part of the range that was not read because no more was expected */
  async function* read(range: KeyRange, isFirst: boolean): AsyncGenerator<Page, KeyRange | undefined> {
    const input = queryInput(view, list, range, direction);
    let from: QueryCommandInput['ExclusiveStartKey'];
    do {
      const Limit = Math.min(MAX_ITEMS_PER_QUERY, Math.ceil(size));
      const response = await view.database.dynamo.send(new QueryCommand({ ...input, Limit, ExclusiveStartKey: from }));
      const { Items: items = [], ConsumedCapacity, LastEvaluatedKey } = response;
      view.units += ConsumedCapacity?.CapacityUnits ?? 0;
      from = LastEvaluatedKey;
      yield { items, isLast: from === undefined };
      left -= Limit;
      size = left > 0 ? left : Limit < FEW ? 2 * Limit : Math.max(FEW, expected / 8);
      const last = items.at(-1);
      if (isFirst && left <= 0 && from !== undefined && last) {
        return direction === 'asc'
          ? { ...range, low: keyBeside(list, toUser(last), 1) }
          : { ...range, high: keyBeside(list, toUser(last), -1) };
      }
    } while (from !== undefined);
    return undefined;
  }

  if (!canLeaveOut(list, keyword)) {
    yield* read(whole, false);
    return;
  }
  const rest = expected > FEW ? whole : yield* read(whole, true);
  if (!rest || isEmpty(rest)) return;
  for await (const stretch of stretchesWith(view, list, keyword, rest, direction)) yield* read(stretch, false);
}

/** The users that the journal has in a range of a list, in the direction of a scan. */
function recent({ journal }: View, list: List, range: KeyRange, direction: Direction): Placed[] {
  const placed = [...journal.latest.values()].flatMap(({ after }) =>
    after && contains(list, after) ? [{ user: after, key: keyIn(list, after) }] : [],
  );
  const sign = direction === 'asc' ? 1 : -1;
  return placed.filter(({ key }) => isWithin(range, key)).sort((a, b) => sign * compareCodePoints(a.key, b.key));
}

/**
 * L1, L2, L3. The users of a list in the order of their keys, or backwards. The journal replaces what the index has about a
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
