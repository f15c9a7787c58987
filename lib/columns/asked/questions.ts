/**
 * The answers to questions. One comes about like this: the users who match (where.ts), how many of them are before the place to which a walk has
 * come (rank.ts), then the part of the order that is asked for (topK.ts), and the rows of these users; or the matching users are counted (counts.ts).
 *
 * An answer is that of a list that is filtered by `meetsAll` and sorted by `compareRows` (tests/property/columns/replica.test.ts). A question
 * can be ended while it is answered ("work", tests/unit/columns/changed/replica.test.ts).
 */

import type { View } from '../changed/overlay.ts';
import type { Replica } from '../changed/replica.ts';
import { rowWith } from '../stored/base.ts';
import { membersFrom } from '../stored/members.ts';
import type { Order, Question, Row } from '../values/definition.ts';
import { arena } from '../work/arena.ts';
import { NO_LIMIT, type Work } from '../work/chunks.ts';
import type { Bin, Ranks } from './bin.ts';
import { type Count, countBy, type Fitting } from './counts.ts';
import type { By } from './groupKeys.ts';
import { rankOf } from './rank.ts';
import { rankedSlice } from './rankedSlice.ts';
import { type SortKey, sortKeyOf } from './sortKey.ts';
import { topK } from './topK.ts';
import { matching } from './where.ts';

function shown({ overlay }: View, item: number): Row {
  const { base } = overlay;
  if (item < base.size) return base.rowAt(item);
  const slot = item - base.size;
  return rowWith(base.kinds, overlay.ids[slot] ?? 0, (field) => {
    const value = overlay.users[slot]?.[field];
    return typeof value === 'object' ? membersFrom(Object.entries(value)) : value;
  });
}

const isOfAll = ({ where = [], ids, notIds, from, to }: Question): boolean =>
  where.length === 0 && [ids, notIds, from, to].every((each) => each === undefined);

/** The users who match, in an order. */
interface Ordered {
  readonly view: View;
  readonly sortKeys: readonly SortKey[];
  /** undefined: all. */
  readonly items: Uint32Array | undefined;
  readonly total: number;
  readonly work: Work;
}

function ordered({ view, total }: Replica, question: Question, order: Order, work: Work): Ordered {
  const items = isOfAll(question) ? undefined : matching(view, question, work).items;
  const sortKeys = order.map((step) => sortKeyOf(view.overlay, step, work));
  return { view, sortKeys, items, total: items?.length ?? total, work };
}

/** Items that have those of some ranks: of all users only some around them. */
const around = ({ view, items, total, work }: Ordered, sortKey: SortKey, ranks: Ranks): Bin =>
  items ? { items, rank: 0, lowest: 0, end: sortKey.end } : rankedSlice({ view, sortKey, total, work }, ranks);

/** The items of some ranks. */
function itemsAt(users: Ordered, ranks: Ranks): Uint32Array {
  const { view, sortKeys, work } = users;
  const [sortKey] = sortKeys;
  if (sortKey === undefined || ranks[0] === ranks[1]) return new Uint32Array(0);
  return topK(
    { size: view.overlay.base.size, sortKeys, sizes: view.sizes, work },
    around(users, sortKey, ranks),
    ranks,
  );
}

/**
 * Some rows of the question's, in an order: without the first ones, or those of whom `compareRows` says that they come behind a place,
 * which has the values of somebody who need not be there any more.
 */
export function pageOf(
  replica: Replica,
  question: Question,
  order: Order,
  begin: number | Row,
  take: number,
  work = NO_LIMIT,
): { total: number; rows: Row[]; left: number } {
  arena.begin();
  const users = ordered(replica, question, order, work);
  const { total } = users;
  const before = typeof begin === 'number' ? begin : rankOf(users, users.items, begin);
  const ranks = [Math.min(before, total), Math.min(before + take, total)] as const;
  const rows = Array.from(itemsAt(users, ranks), (item) => shown(replica.view, item));
  return { total, rows, left: total - ranks[1] };
}

/**
 * How many users have each combination of some values: the largest combinations first, equal ones in the
 * order of their values, as `compareExactly` has it. A user with an array is counted for each of its texts. `others` is how many users have
 * a combination beside these.
 *
 * @param fitting how many of the first ones may be told, such as by their bytes: the rest is in `others`
 */
export function countsOf(
  replica: Replica,
  question: Question,
  by: readonly By[],
  most: number,
  work = NO_LIMIT,
  fitting: Fitting = ({ length }) => length,
): { total: number; counts: Count[]; others: number } {
  arena.begin();
  const match = matching(replica.view, question, work);
  return { total: match.items.length, ...countBy(replica.view, match, { by, most, fitting }, work) };
}

function* decoded(view: View, items: Uint32Array, work: Work): Generator<Row, void, undefined> {
  for (const [i, item] of items.entries()) {
    if (i % 1_024 === 0) work.tick();
    yield shown(view, item);
  }
}

/** All matching rows in the order, for streams: it sorts once, and decodes each row when it is taken. */
export function rowsOf(
  replica: Replica,
  question: Question,
  order: Order,
  work = NO_LIMIT,
): { total: number; rows: Iterable<Row> } {
  arena.begin();
  const users = ordered(replica, question, order, work);
  const { total } = users;
  return { total, rows: decoded(replica.view, itemsAt(users, [0, total]), work) };
}
