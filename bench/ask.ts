import { LISTINGS } from '../lib/http/listingRules.ts';
import { countsQuery, pageQuery, streamQuery } from '../lib/http/request/queries.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/lists.ts';
import { readPlace, writePlace } from '../lib/users/place.ts';
import { event } from '../tests/support/events.ts';
import { type Cost, costOf } from './figures.ts';
import { pageAt } from './sample.ts';

export interface Question {
  kind?: 'page' | 'counts' | 'stream' | 'walk';
  query: string;
  /** The rules of the endpoint: `GET /api/users`, unless told. */
  rules?: (typeof LISTINGS)['listUsers' | 'searchUsers'];
  /** Where the page is in the list: from 0, the first page, to 1, the last. The first page unless told. */
  depth?: number;
}

/** A clock that stands still: what takes longer than a second on a busy machine is not read once more. */
export const withoutTime = (database: Database): Database => ({
  ...database,
  runtime: { ...database.runtime, monotonic: () => 0 },
});

/** Asks one question at a time and says what it cost: to read the query, the journal and the replica. */
export function createAsk(database: Database): (question: Question) => Promise<Cost> {
  const listing = createUserListing(withoutTime(database));
  const totals = new Map<string, number>();

  const page = (query: string, rules: Question['rules'] = LISTINGS.listUsers) =>
    listing.page(pageQuery(rules).read(event(query)));

  async function totalOf(query: string, rules: Question['rules']): Promise<number> {
    const found = await page(query, rules);
    return 'total' in found ? found.total : 0;
  }

  /** A query with the number of the page at a depth. */
  async function placed({ query, rules, depth = 0 }: Question): Promise<string> {
    if (depth === 0) return query;
    const filters = query.replaceAll(/&?sort=[^&]*/g, '');
    const total = totals.get(filters) ?? (await totalOf(filters, rules));
    totals.set(filters, total);
    return `${query}&page=${pageAt(depth, total)}`;
  }

  async function stream(query: string): Promise<void> {
    const { users = [] } = await listing.all(streamQuery(LISTINGS.listAllUsers).read(event(query)));
    for (const _ of users);
  }

  /** A stretch of a list, from a place of its order on: that of the last user of the page before. */
  async function walk(query: string, rules: Question['rules']): Promise<Cost> {
    const { users = [] } = await page(query, rules);
    const asked = pageQuery(rules ?? LISTINGS.listUsers).read(event(query));
    const last = users.at(-1);
    const token = last ? writePlace(asked.order, last) : '';
    return costOf(() => listing.walk({ ...asked, after: readPlace(asked.order, token) }));
  }

  return async (question) => {
    const query = await placed(question);
    if (question.kind === 'walk') return walk(query, question.rules);
    return costOf(async () => {
      if (question.kind === 'counts') await listing.counts(countsQuery.read(event(query)));
      else if (question.kind === 'stream') await stream(query);
      else await page(query, question.rules);
    });
  };
}
