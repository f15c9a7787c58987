import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../lib/dynamodb/bulk.ts';
import { ServiceError } from '../lib/errors.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readPageQuery } from '../lib/http/request/queries.ts';
import { metered } from '../lib/metering.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { createUserStore } from '../lib/users/store.ts';
import { event } from '../tests/support/events.ts';
import type { Question, Row } from './catalogue.ts';
import { type Cost, type Figure, summarize } from './figures.ts';

/** In a quick run one question in so many is asked. */
const QUICK_STEP = 4;
const CURSOR_SIZE = 20;

/** How many calls wait for one another: what runs side by side counts once. */
function countSteps({ middlewareStack }: DynamoDBDocumentClient) {
  let ended = 0;
  middlewareStack.add(
    (next) => async (args) => {
      const step = ended + 1;
      try {
        return await next(args);
      } finally {
        ended = Math.max(ended, step);
      }
    },
    { step: 'initialize', name: 'countSteps' },
  );
  return {
    restart() {
      ended = 0;
    },
    taken: () => ended,
  };
}

/** Asks one question at a time and says what it cost. */
export function createAsk(database: Database) {
  const listing = createUserListing(database);
  const users = createUserStore(database);
  const steps = countSteps(database.dynamo);
  const totals = new Map<string, number>();

  const page = (query: string) => listing.page(readPageQuery(event(query), LISTINGS.listUsers));

  /** A query with the number of the page at a depth. */
  async function placed({ query, depth = 0 }: Question): Promise<string> {
    if (depth === 0) return query;
    const filters = query.replaceAll(/&?sort=[^&]*/g, '');
    const answer = totals.has(filters) ? undefined : await page(`${filters}&size=1`);
    if (answer?.users) totals.set(filters, answer.total);
    const pages = Math.ceil((totals.get(filters) ?? 0) / CURSOR_SIZE);
    return `${query}&page=${Math.max(0, Math.min(pages - 1, Math.floor(depth * pages)))}`;
  }

  async function idOn(query: string): Promise<number> {
    const { users: [first] = [] } = await page(query);
    return first?.id ?? 0;
  }

  /** What is asked, apart from what has to be known for it. */
  async function prepare({
    kind = 'page',
    ...question
  }: Question): Promise<{ query: string; run(): Promise<unknown> }> {
    const query = await placed(question);
    const readPage = readPageQuery(event(query), LISTINGS.listUsers);
    if (kind === 'page') return { query, run: () => listing.page(readPage) };
    if (kind === 'unchanged') return { query, run: () => listing.page(readPage, () => true) };
    const id = await idOn(query);
    if (kind === 'get') return { query: `id ${id}`, run: () => users.get(id) };
    const cursor = { filters: {}, keyword: undefined, after: id, size: CURSOR_SIZE };
    return { query: `cursor=${id}`, run: () => listing.after(cursor) };
  }

  async function ask(question: Question): Promise<Cost> {
    const { query, run } = await prepare(question);
    return metered(async (meter) => {
      steps.restart();
      try {
        await run();
      } catch (error) {
        // Above the budget of one request: refused before it is read, with the cost that it would have.
        if (!(error instanceof ServiceError) || error.status !== 400) throw error;
        return { units: database.sizes.budgetUnits, steps: steps.taken(), query, plan: error.message };
      }
      return { units: meter.readUnits, steps: steps.taken(), query, ...(meter.plan && { plan: meter.plan }) };
    });
  }

  /** All questions of a row. */
  return async ({ title, target, questions, steps: stepsTarget }: Row, isQuick: boolean): Promise<Figure[]> => {
    const costs: Cost[] = [];
    const asked = isQuick ? questions.filter((_, i) => i % QUICK_STEP === 0) : questions;
    for (const question of asked) costs.push(await withRetries(database, () => ask(question)));
    const inSteps = costs.map((cost) => ({ ...cost, units: cost.steps ?? 0 }));
    return [
      summarize(title, target, costs),
      ...(stepsTarget ? [summarize('the same: calls one after another', stepsTarget, inSteps)] : []),
    ];
  };
}
