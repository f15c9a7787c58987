import { Readable } from 'node:stream';
import { badRequest, type ServiceError } from '../../errors.ts';
import { describePlan } from '../../metering.ts';
import type { Cell } from '../statistics/cells.ts';
import { readCounts } from '../statistics/counts.ts';
import { findLastNames } from '../statistics/lastNames.ts';
import type { User } from '../user.ts';
import { type Order, totalOrder } from './order.ts';
import { plan } from './plan.ts';
import { candidatesOf, rangeInOrderOf } from './ranges.ts';
import { countAllowed, type Filters, keeperOf, type Restriction, restrictionOf } from './restriction.ts';
import type { ScanDependencies } from './scan.ts';
import type { Window } from './selection.ts';
import { streamInOrder } from './stream.ts';
import { walk } from './walk.ts';

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

const windowOf = ({ number, size }: Pick<PageQuery, 'number' | 'size'>): Window => ({
  start: number * size,
  end: (number + 1) * size,
});

const BY_ID = totalOrder([]);

const tooMany = (total: number, limit: number): ServiceError =>
  badRequest(
    `There are ${total} users, and at most ${limit} can be sorted like this: sort by one property, or use /api/users?cursor=0`,
  );

/** Every filter has an index in the order of ids, so no count is needed to choose one. */
function readAfter(dependencies: ScanDependencies, restriction: Restriction, window: Window): Promise<User[]> {
  const [candidates] = candidatesOf(restriction, []);
  const range = candidates?.ranges[0] ?? rangeInOrderOf('id', restriction);
  if (!range) throw new Error('No index is in the order of ids');
  describePlan(`walk ${range.index}`);
  return walk(dependencies, {
    range,
    order: BY_ID,
    window,
    keep: keeperOf(restriction),
    selectivity: 1,
    patience: Number.POSITIVE_INFINITY,
  });
}

/** Users in order. Totals are exact; the users come from indexes, which DynamoDB updates within milliseconds. */
export function createUserListing(dependencies: ScanDependencies) {
  const { dynamo, tables } = dependencies;

  /** Which users are asked for, and what is counted of all. */
  async function look(
    filters: Filters,
    keyword: string | undefined,
  ): Promise<{ restriction: Restriction; cells: Cell[] }> {
    const [cells, lastNames] = await Promise.all([
      readCounts(dynamo, tables),
      keyword ? findLastNames(dynamo, tables, keyword) : undefined,
    ]);
    return { restriction: restrictionOf(filters, lastNames), cells };
  }

  function read(restriction: Restriction, order: Order, window: Window, cells: readonly Cell[]): Promise<User[]> {
    const path = plan({ restriction, order, window, cells });
    describePlan(path.description);
    return path.read(dependencies);
  }

  return {
    async page({ filters, keyword, order, ...page }: PageQuery): Promise<UserPage> {
      const { start, end } = windowOf(page);
      const { restriction, cells } = await look(filters, keyword);
      const total = countAllowed(restriction, cells);
      if (start >= total) return { users: [], total };
      return { users: await read(restriction, order, { start, end: Math.min(end, total) }, cells), total };
    },

    /**
     * Every user. Where no index has the order they are sorted in memory.
     *
     * @throws {ServiceError} 400 when there are more than `limit` to be sorted, before they are read
     */
    async all(order: Order, limit: number): Promise<{ users: AsyncIterable<User>; total: number }> {
      const { restriction, cells } = await look({}, undefined);
      const total = countAllowed(restriction, cells);
      const stream = streamInOrder(order, cells);
      if (stream) {
        describePlan('stream in order');
        return { users: stream(dependencies), total };
      }
      if (total > limit) throw tooMany(total, limit);
      const window = { start: 0, end: Number.POSITIVE_INFINITY };
      const users = total === 0 ? [] : await read(restriction, order, window, cells);
      return { users: Readable.from(users), total };
    },

    async after({ filters, keyword, after, size }: CursorQuery): Promise<User[]> {
      const window = { start: 0, end: size };
      if (!keyword) return readAfter(dependencies, { ...restrictionOf(filters), after }, window);
      const { restriction, cells } = await look(filters, keyword);
      return countAllowed(restriction, cells) === 0 ? [] : read({ ...restriction, after }, BY_ID, window, cells);
    },
  };
}
