import { withRetries } from '../lib/dynamodb/retry.ts';
import { ServiceError } from '../lib/errors.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { MAX_PAGE } from '../lib/http/request/parameters.ts';
import { readCountsQuery, readPageQuery } from '../lib/http/request/queries.ts';
import { metered } from '../lib/metering.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { createUserStore } from '../lib/users/store.ts';
import { event } from '../tests/support/events.ts';
import type { Cost } from './figures.ts';
import { countRounds } from './rounds.ts';
import { PAGE_SIZE, pageAt, type Question } from './sample.ts';

/** Above the budget of one request: refused before it is read. */
const isRefusal = (error: unknown): error is ServiceError => error instanceof ServiceError && error.status === 400;

/**
 * Asks one question at a time and says what it cost, by a clock that stands still. What takes longer than a second is read once more, and
 * the pace of this machine says nothing of a stage.
 */
export function createAsk(given: Database): (question: Question) => Promise<Cost> {
  const database = { ...given, runtime: { ...given.runtime, monotonic: () => 0 } };
  const listing = createUserListing(database);
  const users = createUserStore(database);
  const rounds = countRounds(database.dynamo);
  const totals = new Map<string, number>();

  const readQuery = (query: string, rules: Question['rules'] = LISTINGS.listUsers) =>
    readPageQuery(event(query), rules);

  /** A page after all pages tells the total. Where no statistics count it, that may be refused, as the first page will be. */
  async function totalOf(filters: string): Promise<number> {
    try {
      const answer = await listing.page(readQuery(`${filters}&page=${MAX_PAGE}`));
      return answer.users ? answer.total : 0;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return 0;
    }
  }

  /** A query with the number of the page at a depth. */
  async function placed({ query, depth = 0 }: Question): Promise<string> {
    if (depth === 0) return query;
    const filters = query.replaceAll(/&?sort=[^&]*/g, '');
    const total = totals.get(filters) ?? (await totalOf(filters));
    totals.set(filters, total);
    return `${query}&page=${pageAt(depth, total)}`;
  }

  /** What is asked, apart from what has to be known for it. */
  async function prepare({
    kind = 'page',
    ...question
  }: Question): Promise<{ query: string; run(): Promise<unknown> }> {
    if (kind === 'counts') return { ...question, run: () => listing.counts(readCountsQuery(event(question.query))) };
    const query = await placed(question);
    const page = readQuery(query, question.rules);
    if (kind === 'page') return { query, run: () => listing.page(page) };
    if (kind === 'unchanged') return { query, run: () => listing.page(page, () => true) };
    const { users: found = [] } = await listing.page(page);
    const ids = found.map(({ id }) => id);
    if (kind === 'ids') return prepare({ query: ids.map((each) => `id=${each}`).join('&') });
    const [id = 0] = ids;
    if (kind === 'get') return { query: `id ${id}`, run: () => users.get(id) };
    const cursor = { filters: {}, keyword: undefined, after: id, size: PAGE_SIZE };
    return { query: `cursor=${id}`, run: () => listing.after(cursor) };
  }

  async function ask(question: Question): Promise<Cost> {
    const { query, run } = await prepare(question);
    return metered(async (meter) => {
      rounds.begin();
      const cost = () => ({ units: meter.readUnits, calls: meter.calls, rounds: rounds.end(), query });
      try {
        await run();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { ...cost(), units: database.sizes.budgetUnits, plan: error.message };
      }
      return { ...cost(), ...(meter.plan && { plan: meter.plan }) };
    });
  }

  return (question) => withRetries(database, () => ask(question));
}
