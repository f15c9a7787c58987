import { LISTINGS } from '../lib/http/listingRules.ts';
import { readCountsQuery, readCursorQuery, readPageQuery, readStreamQuery } from '../lib/http/request/queries.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { createUserStore } from '../lib/users/store.ts';
import { event } from '../tests/support/events.ts';
import { type Cost, costOf } from './figures.ts';
import { pageAt } from './sample.ts';

/** A request for a page, for counts, for all users, for users after an id, for one user, or for a list that has not changed. */
export interface Question {
  kind?: 'page' | 'counts' | 'all' | 'cursor' | 'get' | 'unchanged';
  query: string;
  /** The rules of the endpoint: `GET /api/users`, unless told. */
  rules?: (typeof LISTINGS)['listUsers' | 'searchUsers'];
  /** Where the page is in the list: from 0, the first page, to 1, the last. The first page unless told. */
  depth?: number;
}

/**
 * Asks one question at a time and says what it cost: to read the query, the journal and the replica. By a clock that stands still: what
 * takes longer than a second on a busy machine is not read once more.
 */
export function createAsk(given: Database): (question: Question) => Promise<Cost> {
  const database = { ...given, runtime: { ...given.runtime, monotonic: () => 0 } };
  const listing = createUserListing(database);
  const users = createUserStore(database);
  const totals = new Map<string, number>();

  const page = (query: string, rules: Question['rules'] = LISTINGS.listUsers) => {
    const asked = readPageQuery(event(query), rules);
    return listing.page(asked);
  };

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

  async function firstIdOf(question: Question): Promise<number> {
    const { users: found = [] } = await page(await placed(question));
    return found[0]?.id ?? 0;
  }

  async function all(query: string): Promise<void> {
    const stream = await listing.all(readStreamQuery(event(query), LISTINGS.listAllUsers));
    for (const _ of stream.users ?? []);
  }

  /** What is asked, apart from what has to be known for it. */
  async function prepare(question: Question): Promise<() => Promise<unknown>> {
    const { kind = 'page', rules } = question;
    if (kind === 'counts') return () => listing.counts(readCountsQuery(event(question.query)));
    if (kind === 'all') return () => all(question.query);
    if (kind === 'cursor') {
      const query = event(`cursor=${await firstIdOf(question)}`);
      return () => listing.after(readCursorQuery(query, LISTINGS.listUsersByCursor));
    }
    if (kind === 'get') {
      const id = await firstIdOf(question);
      return () => users.get(id);
    }
    const query = await placed(question);
    if (kind === 'unchanged') return () => listing.page(readPageQuery(event(query), LISTINGS.listUsers), () => true);
    return () => page(query, rules);
  }

  return async (question) => costOf(await prepare(question));
}
