import { KIND, mark } from '../keys.ts';
import { readCounts } from '../statistics/counts.ts';
import { fold } from '../text.ts';
import type { User } from '../user.ts';
import { gather } from './gather.ts';
import type { Order } from './order.ts';
import { plan } from './plan.ts';
import { allowsUser, countAllowed, type Filters, restrictionOf } from './restriction.ts';
import { type Partition, type ScanDependencies, scanAfter } from './scan.ts';
import type { Window } from './selection.ts';

export interface PageQuery {
  filters: Filters;
  /** Matches every last name that contains it, folded; without one, all users match. */
  keyword: string | undefined;
  order: Order;
  /** Counted from 0. */
  number: number;
  size: number;
}

export interface CursorQuery {
  filters: Filters;
  keyword: string | undefined;
  /** Users with a greater id are given. */
  after: number;
  size: number;
}

export interface UserPage {
  users: User[];
  /** How many users match, on this page or not. */
  total: number;
}

export type UserListing = ReturnType<typeof createUserListing>;

function matches(filters: Filters, keyword: string | undefined): (user: User) => boolean {
  const restriction = restrictionOf(filters);
  const folded = keyword && fold(keyword);
  return (user) =>
    allowsUser(restriction, user) && (!folded || (user.lastName !== undefined && fold(user.lastName).includes(folded)));
}

/** The smallest partition known to hold all users that a filter allows. */
function candidates({ status, country }: Filters, otherwise: 'byId' | 'byLastName'): Partition {
  if (status !== undefined) return { index: 'byStatus', value: mark(status) };
  if (country !== undefined) return { index: 'byCountry', value: mark(country) };
  return { index: otherwise, value: KIND };
}

const windowOf = ({ number, size }: Pick<PageQuery, 'number' | 'size'>): Window => ({
  start: number * size,
  end: (number + 1) * size,
});

/** Users in order. Totals are exact; the users come from indexes, which DynamoDB updates within milliseconds. */
export function createUserListing(dependencies: ScanDependencies) {
  async function search({ filters, keyword, order, ...page }: PageQuery): Promise<UserPage> {
    const window = windowOf(page);
    const selection = await gather(dependencies, {
      partitions: [candidates(filters, 'byLastName')],
      order,
      size: window.end,
      keep: matches(filters, keyword),
    });
    return { users: selection.slice(window), total: selection.count };
  }

  async function browse({ filters, order, ...page }: PageQuery): Promise<UserPage> {
    const window = windowOf(page);
    const cells = await readCounts(dependencies.dynamo, dependencies.tables);
    const restriction = restrictionOf(filters);
    const total = countAllowed(restriction, cells);
    if (window.start >= total) return { users: [], total };
    const end = Math.min(window.end, total);
    const path = plan({ restriction, order, window: { start: window.start, end }, cells });
    return { users: await path.read(dependencies), total };
  }

  return {
    page: (query: PageQuery): Promise<UserPage> => (query.keyword ? search(query) : browse(query)),

    async all(order: Order): Promise<User[]> {
      const window = { start: 0, end: Number.POSITIVE_INFINITY };
      const cells = await readCounts(dependencies.dynamo, dependencies.tables);
      return cells.length === 0 ? [] : plan({ restriction: {}, order, window, cells }).read(dependencies);
    },

    async after({ filters, keyword, after, size }: CursorQuery): Promise<User[]> {
      const keep = matches(filters, keyword);
      const batch: User[] = [];
      for await (const user of scanAfter(dependencies, candidates(filters, 'byId'), after, size)) {
        if (keep(user)) batch.push(user);
        if (batch.length === size) break;
      }
      return batch;
    },
  };
}
