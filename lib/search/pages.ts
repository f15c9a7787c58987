/**
 * Pages, walks and streams of a list: of the rows of a view, but for those who have changed since its state, and of these as they are now.
 */
import { compareRows, type Order, type Row } from '../columns/index.ts';
import type { Answer } from './engine.ts';
import { WINDOW } from './fields.ts';
import { placeOf, sortOf } from './order.ts';
import type { Query } from './query.ts';
import { rowsIn, type View } from './view.ts';

/** A list: which rows of the view are in it, in which order, and the rows that have changed since and are in it, too. */
export interface List {
  readonly query: Query;
  readonly order: Order;
  readonly own: readonly Row[];
}

export interface Stretch {
  rows: Row[];
  total: number;
}

/** The page lies too far from both ends. */
export const TOO_FAR = 'too far';

const merged = ({ shape }: View, { order }: List, ...rows: readonly (readonly Row[])[]): Row[] =>
  rows.flat().sort(compareRows(shape.kinds, order));

/** Without a total the engine passes over most rows that come later. */
const search = (
  view: View,
  { query, order }: List,
  body: Record<string, unknown> & { isBack?: boolean },
): Promise<Answer> => {
  const { isBack = false, ...rest } = body;
  return view.search({ query, sort: sortOf(view.shape, order, isBack), track_total_hits: false, ...rest });
};

/** Counted beside the rows: the engine knows many totals without a look at each row. */
export const totalOf = async (view: View, query: Query): Promise<number> =>
  (await view.search({ query, size: 0, track_total_hits: true })).hits.total.value;

/** Beyond this number the total is asked for first: the page may be nearer to the end, or behind it. */
const NEAR = 10_000;

/** Rows of the view alone, without the first ones. */
async function stored(view: View, list: List, from: number, size: number): Promise<Stretch | typeof TOO_FAR> {
  if (from + size <= NEAR) {
    const [found, total] = await Promise.all([search(view, list, { from, size }), totalOf(view, list.query)]);
    return { rows: rowsIn(view, found), total };
  }
  const total = await totalOf(view, list.query);
  const take = Math.min(size, total - from);
  if (take <= 0) return { rows: [], total };
  const back = total - from - take;
  if (Math.min(from, back) > WINDOW) return TOO_FAR;
  if (from <= back) return { rows: rowsIn(view, await search(view, list, { from, size: take })), total };
  return { rows: rowsIn(view, await search(view, list, { from: back, size: take, isBack: true })).reverse(), total };
}

/** Of the rows that have changed, each may come before the page: so by as many more of the view are read. */
export async function pageOf(view: View, list: List, from: number, size: number): Promise<Stretch | typeof TOO_FAR> {
  const { length } = list.own;
  const low = Math.max(0, from - length);
  const found = await stored(view, list, low, from + size - low);
  if (found === TOO_FAR) return TOO_FAR;
  return {
    rows: merged(view, list, found.rows, list.own).slice(from - low, from - low + size),
    total: found.total + length,
  };
}

/** Rows behind a place, and whether there are more. */
export async function walkFrom(
  view: View,
  list: List,
  place: Row | undefined,
  size: number,
): Promise<Stretch & { hasMore: boolean }> {
  const { shape } = view;
  const after = place && { search_after: placeOf(shape, list.order, place) };
  const searching = search(view, list, { size: size + 1, ...after });
  const [found, stored] = await Promise.all([searching, totalOf(view, list.query)]);
  const compare = compareRows(shape.kinds, list.order);
  const own = list.own.filter((row) => !place || compare(row, place) > 0);
  const rows = merged(view, list, rowsIn(view, found), own);
  const total = stored + list.own.length;
  return { rows: rows.slice(0, size), total, hasMore: rows.length > size };
}

/** Rows of a search of a stream: a megabyte or two. */
const STREAMED = 2_000;

/** All rows, in chunks. Those that have changed are sorted in where they belong. */
export async function* streamOf(view: View, list: List): AsyncGenerator<Row[]> {
  const compare = compareRows(view.shape.kinds, list.order);
  const own = list.own.toSorted(compare);
  let [place, taken]: [unknown[] | undefined, number] = [undefined, 0];
  for (;;) {
    const found = await search(view, list, {
      size: STREAMED,
      ...(place && { search_after: place }),
    });
    const rows = rowsIn(view, found);
    const last = rows.length < STREAMED ? undefined : rows.at(-1);
    const end = last ? own.findIndex((row, i) => i >= taken && compare(row, last) > 0) : -1;
    const until = end < 0 ? own.length : end;
    yield merged(view, list, rows, own.slice(taken, until));
    if (!last) return;
    taken = until;
    place = found.hits.hits.at(-1).sort;
  }
}
