import type { Sort } from '../lib/http/parameters/sort.ts';
import { countsQuery, readPage, streamQuery } from '../lib/http/queries/lists.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/lists.ts';
import { readPlace, writePlace } from '../lib/users/order.ts';
import type { UserListing } from '../lib/users/questions.ts';
import { event } from '../tools/samples/events.ts';
import { type Cost, costOf } from './figures.ts';
import { pageAt } from './sample.ts';

export interface Question {
  kind?: 'page' | 'counts' | 'stream' | 'walk';
  query: string;
  /** The orders that the endpoint knows: those of `GET /api/users`, unless told. */
  by?: Sort;
  /** Where the page is in the list: from 0, the first page, to 1, the last. The first page unless told. */
  depth?: number;
}

/** A clock that stands still: what takes longer than a second on a busy machine is not read once more. */
export const withoutTime = (database: Database): Database => ({
  ...database,
  runtime: { ...database.runtime, monotonic: () => 0 },
});

/** Asks one question at a time and says what it cost: to read the query, the journal and the replica. @param listing another one */
export function createAsk(
  database: Database,
  listing: UserListing = createUserListing(withoutTime(database)),
): (question: Question) => Promise<Cost> {
  const totals = new Map<string, number>();

  const page = (query: string, by?: Question['by']) => listing.page(readPage(event(query), by));

  async function totalOf(query: string, by: Question['by']): Promise<number> {
    const found = await page(query, by);
    return 'total' in found ? found.total : 0;
  }

  /** A query with the number of the page at a depth. */
  async function placed({ query, by, depth = 0 }: Question): Promise<string> {
    if (depth === 0) return query;
    const filters = query.replaceAll(/&?sort=[^&]*/g, '');
    const total = totals.get(filters) ?? (await totalOf(filters, by));
    totals.set(filters, total);
    return `${query}&page=${pageAt(depth, total)}`;
  }

  async function stream(query: string): Promise<void> {
    const { users = [] } = await listing.all(streamQuery.read(event(query)));
    for await (const some of users) for (const _ of some);
  }

  /** A stretch of a list, from a place of its order on: that of the last user of the page before. */
  async function walk(query: string, by: Question['by']): Promise<Cost> {
    const { users = [] } = await page(query, by);
    const asked = readPage(event(query), by);
    const last = users.at(-1);
    const token = last ? writePlace(asked.order, last) : '';
    return costOf(() => listing.walk({ ...asked, after: readPlace(asked.order, token) }));
  }

  return async (question) => {
    const query = await placed(question);
    if (question.kind === 'walk') return walk(query, question.by);
    return costOf(async () => {
      if (question.kind === 'counts') await listing.counts(countsQuery.read(event(query)));
      else if (question.kind === 'stream') await stream(query);
      else await page(query, question.by);
    });
  };
}
