import type { Wanted } from '../counts/segments.ts';
import { type EncodedFilters, valueOfText } from '../keys.ts';
import { both, isEmpty, type Span, valuesOf } from '../lists.ts';
import type { User } from '../user.ts';
import { ensureBudget } from './budget.ts';
import { textOf } from './criteria.ts';
import { costOf } from './plan.ts';
import { firstUsers, readAll, take } from './scan.ts';
import { countEach, countWanted, frameOf, hasWanted, oneValueOf, rankOf, spansOf, tilesWithin } from './tiles.ts';
import type { View } from './view.ts';

/** The exact values that all users of a span have; undefined if the totals do not tell how many it has. */
function countedValues(span: Span): EncodedFilters | undefined {
  const values = valuesOf(span.list);
  if (span.from === undefined && span.to === undefined) return values;
  const value = oneValueOf(span);
  return value && { ...values, [value.field]: valueOfText(value.text) };
}

/** Whether a span probably has few users: they have the same text in a field with many. */
export const hasFew = (span: Span): boolean => textOf(span) !== undefined && !oneValueOf(span);

/** How many users a span has. Where they are few, counting them costs less than ranks. */
export async function sizeOf(view: View, span: Span): Promise<number> {
  if (isEmpty(span)) return 0;
  const values = countedValues(span);
  if (values) return view.total(values);
  if (hasFew(span)) {
    const few = view.database.sizes.nearUsers;
    const users = await firstUsers(view, span, 'asc', few);
    if (users.length < few) return users.length;
  }
  const size = await countWanted(view, span, {});
  return Number.isNaN(size) ? countByReading(view, span) : size;
}

/** How many users a span has, in a list without segments. They are read. @throws {ServiceError} 400 when that may cost too much */
export function countByReading(view: View, span: Span): Promise<number> {
  const count = async () => {
    ensureBudget(view, costOf(span, await view.total(valuesOf(span.list))));
    return countEach(view, span, {});
  };
  return view.once(count, 'count', span.list.index.name, span.list.partition, span.from, span.to);
}

/** For a span that has the users of one value: how many users of its list are before them. */
async function totalBefore(view: View, span: Span): Promise<number | undefined> {
  const value = oneValueOf(span);
  return value && view.before(value.field, valuesOf(span.list), value.text);
}

/** How many users are before a span, from the first sum of its frame on. For the users of one value, totals tell it. */
const rankOfSpan = async (view: View, span: Span): Promise<number> =>
  (await totalBefore(view, span)) ?? rankOf(view, frameOf(span), span.from);

/** For a page near an end, and for a list without segments: all users up to the page are read. */
async function fromNearerEnd(view: View, span: Span, total: number, start: number, end: number): Promise<User[]> {
  ensureBudget(view, costOf(span, Math.min(end, total - start)));
  if (end <= total - start) return (await take(view, span, 'asc', end)).slice(start);
  return (await take(view, span, 'desc', total - start)).reverse().slice(0, end - start);
}

/**
 * The wanted users at the places [start, end) of a span, of `total`. Undefined where segments do not tell. At most three calls in a
 * row: sums, segments, users.
 */
export async function usersAt(
  view: View,
  span: Span,
  wanted: Wanted,
  total: number,
  start: number,
  end: number,
): Promise<User[] | undefined> {
  const { list } = span;
  const frame = frameOf(span);
  const isWhole = Object.keys(wanted).length === 0;
  const near = view.database.sizes.nearUsers;
  if (isWhole && (start <= near || total - end <= near)) return fromNearerEnd(view, span, total, start, end);
  const rank = isWhole ? rankOfSpan(view, span) : rankOf(view, frame, span.from, wanted);
  const [offset] = await Promise.all([rank, view.segments('sums', list, { from: frame.from, to: frame.to })]);
  const tiles = Number.isNaN(offset) ? undefined : await tilesWithin(view, frame, wanted, offset + start, offset + end);
  const [tile] = tiles ?? [];
  if (!tiles && isWhole) return fromNearerEnd(view, span, total, start, end);
  if (!tiles || !tile) return tiles && [];
  const first = start - Math.max(0, tile.rank - offset);
  const above = Math.min(tile.rank + tile.users - offset, total) - start;
  if (isWhole && tile.to !== undefined && above < first) {
    // The end of the segment is nearer.
    const [before, after] = await Promise.all([
      take(view, { list, ...both(span, { to: tile.to }) }, 'desc', above),
      take(view, { list, ...both(span, { from: tile.to }) }, 'asc', end - start - above),
    ]);
    return [...before.reverse(), ...after].slice(0, end - start);
  }
  const spans = spansOf(span, tiles, ({ users }) => users > 0);
  const users = isWhole
    ? await take(view, { list, ...both(span, { from: tile.from }) }, 'asc', first + end - start)
    : await readAll(view, spans, hasWanted(wanted));
  return users.slice(first, first + end - start);
}
