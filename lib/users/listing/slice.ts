import { isExactField } from '../fields.ts';
import { SEPARATOR, valueOfText } from '../keys.ts';
import { both, isEmpty, type Span, valuesOf } from '../lists.ts';
import type { Wanted } from '../statistics/segments.ts';
import type { User } from '../user.ts';
import { textOf } from './criteria.ts';
import { costOf, ensureBudget } from './plan.ts';
import { readAll, take } from './scan.ts';
import { countWanted, frameOf, hasWanted, rankOf, spansOf, tilesWithin } from './tiles.ts';
import type { View } from './view.ts';

/** The exact values that all users of a span have; undefined if the totals do not tell how many it has. */
function countedValues({ list, ...range }: Span) {
  const values = valuesOf(list);
  const { order } = list.index;
  if (range.from === undefined && range.to === undefined) return values;
  const text = textOf(range);
  if (order === 'id' || !isExactField(order) || !text?.includes(SEPARATOR)) return undefined;
  return { ...values, [order]: valueOfText(text) };
}

/** How many users a span has. A text usually has few users, and counting them costs less than ranks. */
export async function sizeOf(view: View, span: Span): Promise<number> {
  if (isEmpty(span)) return 0;
  const values = countedValues(span);
  if (values) return view.total(values);
  if (textOf(span) === undefined) return countWanted(view, span, {});
  const few = view.database.sizes.nearUsers;
  const users = await take(view, span, 'asc', few);
  return users.length < few ? users.length : countWanted(view, span, {});
}

/** How many users of its list are before the users of one value, if the span has these. */
async function totalBefore(view: View, { list, ...range }: Span): Promise<number | undefined> {
  const { order } = list.index;
  const text = textOf(range);
  if (order === 'id' || !isExactField(order) || !text?.includes(SEPARATOR)) return undefined;
  return view.before(order, valuesOf(list), text);
}

/** How many users are before a span, from the first sum of its frame on. For the users of one value, totals tell it. */
const rankOfSpan = async (view: View, span: Span): Promise<number> =>
  (await totalBefore(view, span)) ?? rankOf(view, frameOf(span), span.from);

/** Begins to read what tells where a page in the midst of a span is, while others count who matches. */
export function expectPageOf(view: View, span: Span): void {
  const { list, ...part } = frameOf(span);
  for (const read of [view.segments('sums', list, part), totalBefore(view, span)]) read.catch(() => {});
}

/** For a page near an end, and for a list without segments: all users up to the page are read. */
async function fromNearerEnd(view: View, span: Span, total: number, start: number, end: number): Promise<User[]> {
  ensureBudget(view.database.sizes, { cost: costOf(span, Math.min(end, total - start)) });
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
  if (isWhole && (start <= near || total - start <= near)) return fromNearerEnd(view, span, total, start, end);
  const offset = isWhole ? await rankOfSpan(view, span) : await rankOf(view, frame, span.from, wanted);
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
