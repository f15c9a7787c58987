/** Which users a page, a batch after a cursor and a stream have. */
import { inParallel } from '../../parallel.ts';
import type { User } from '../user.ts';
import { readChosen } from './chosen.ts';
import { PARALLEL_READS } from './cost.ts';
import { countUsers, readCounts } from './counting.ts';
import { type Criteria, withIdsAfter } from './criteria.ts';
import { execute, planAndRead } from './execute.ts';
import { type Order, reversed, sortedBy, totalOrder } from './order.ts';
import { type Counts, gatherOf, isWorthSorting } from './plan.ts';
import { type Query, queryOf } from './query.ts';
import { takeFirst } from './scan.ts';
import { type Streaming, streamAll } from './stream.ts';
import type { View } from './view.ts';

/** What to do where users can be counted only by reading them. */
function adviceFor({ ranges, wanted, keyword }: Criteria): string {
  const ranged = Object.keys(ranges).map((order) => (order === 'id' ? 'createdAt' : order));
  const filters = [...ranged, ...Object.keys(wanted), ...(keyword === undefined ? [] : ['keyword'])];
  return `to count who matches, narrow one of the filters by ${filters.join(', ')}`;
}

/** All matching users, in order. */
const gatherAll = (view: View, query: Query, { smallest = [] }: Counts): Promise<User[]> =>
  execute(view, query, gatherOf(smallest), adviceFor(query.criteria));

/** The users at the places [start, end) of an order, and how many match. They are read from the nearer end. */
export async function readPage(view: View, criteria: Criteria, order: Order, start: number, end: number) {
  const chosen = await readChosen(view, criteria);
  if (chosen) return { users: sortedBy(chosen, order).slice(start, end), total: chosen.length };
  const query = queryOf(criteria, order);
  const found = await countUsers(view, query);
  const users = found ? found.users : await gatherAll(view, query, await readCounts(view, query));
  if (users) return { users: sortedBy(users, query.order).slice(start, end), total: users.length };
  const total = found?.total ?? 0;
  if (start >= total) return { users: [], total };
  const last = Math.min(end, total);
  const take = last - start;
  if (total - start >= last) return { users: await planAndRead(view, { ...query, skip: start, take, total }), total };
  const backwards = { ...query, order: reversed(query.order), skip: total - last, take, total };
  return { users: (await planAndRead(view, backwards)).reverse(), total };
}

const BY_ID = totalOrder([]);

/** The values of more lists than these are read from one list by walking. */
const MOST_LISTS = 10;

/** The first users after an id, by id. Nobody asks how many there are: they are the first of one list, or of a few. */
export async function readAfter(view: View, criteria: Criteria, id: number, take: number): Promise<User[]> {
  const chosen = await readChosen(view, withIdsAfter(criteria, id));
  if (chosen) return sortedBy(chosen, BY_ID).slice(0, take);
  const query = queryOf(withIdsAfter(criteria, id), BY_ID, { take });
  const exact = query.candidates.find(({ fit, isById }) => fit === 'exact' && isById);
  if (!exact || exact.spans.length > MOST_LISTS) return planAndRead(view, query);
  const { spans } = exact;
  view.plans.push(`after in ${exact.index.name}`);
  const users = await inParallel(spans, PARALLEL_READS, (span) => takeFirst(view, span, 'asc', take));
  return sortedBy(users.flat(), BY_ID).slice(0, take);
}

/** All matching users in order. If they are few, or must be counted by reading them, they are sorted in memory. */
export async function readStream(streaming: Streaming, criteria: Criteria, order: Order) {
  const { view } = streaming;
  const chosen = await readChosen(view, criteria);
  if (chosen) return { users: sortedBy(chosen, order), total: chosen.length };
  const query = queryOf(criteria, order);
  const counts = await readCounts(view, query);
  const found = isWorthSorting(counts, view.database.sizes.budgetUnits) ? undefined : await countUsers(view, query);
  if (found && !found.users) {
    view.plans.push(`stream by ${order[0].property}`);
    return { total: found.total, users: streamAll(streaming, criteria, order) };
  }
  const users = found?.users ? sortedBy(found.users, query.order) : await gatherAll(view, query, counts);
  return { total: users.length, users };
}
