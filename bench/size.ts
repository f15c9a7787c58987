import { readPage } from '../lib/http/queries/lists.ts';
import { createUserListing } from '../lib/users/lists.ts';
import { createUserStore } from '../lib/users/store.ts';
import { event } from '../tools/samples/events.ts';
import { createAsk, type Question, withoutTime } from './ask.ts';
import { measureStored } from './base.ts';
import { changeSome } from './changed.ts';
import { CHOSEN } from './chosen.ts';
import { measureContainers } from './containers.ts';
import type { Store } from './data.ts';
import { COUNTS, DEAR, drawQuestions, KINDS } from './drawn.ts';
import { type Cost, costOf, type Figures, type Measurement, maximum, one, repeated, spread } from './figures.ts';
import { measureMerge } from './merge.ts';
import { measureTables } from './print.ts';
import { PAGE_SIZE, SEED, times } from './sample.ts';
import { measurePrice, measureRequests } from './writes.ts';

/** How many times each chosen question is asked to warm up, and then to be measured. */
const ASKED = [20, 41] as const;
const STREAMS = [2, 5] as const;
/** How many questions of each kind are drawn. */
const DRAWN = 60;
const QUICK_DRAWN = 15;
/** Characters of the slowest question that are shown. The rest is cut off. */
const SHOWN = 150;
/** How many others are asked before them, for the compiler. */
const WARM_UP = 10;

/** Measures the cost of requests in a store. Requests that change nothing are measured in several runs. */
export function measureSize(store: Store, isQuick: boolean, runs: number): Promise<Measurement['tables']> {
  const { database } = store;
  const ask = createAsk(database);
  /** All costs of warm questions. */
  const seen: Cost[] = [];

  /** @param warmUp how many of the costs are not counted */
  async function timesOf(questions: readonly Question[], warmUp = 0): Promise<number[]> {
    const costs = (await Array.fromAsync(questions, ask)).slice(warmUp);
    seen.push(...costs);
    const slowest = costs.reduce(
      (most, { milliseconds }, i) => (milliseconds > (costs[most]?.milliseconds ?? 0) ? i : most),
      0,
    );
    process.stderr.write(
      `    ${costs[slowest]?.milliseconds.toFixed(1)} ms: ${questions[warmUp + slowest]?.query.slice(0, SHOWN)}\n`,
    );
    return costs.map(({ milliseconds }) => milliseconds);
  }

  async function measureChosen(): Promise<Figures> {
    const figures: Figures = {};
    for (const [title, question] of Object.entries(CHOSEN)) {
      const [warmUp, measured] = question.kind === 'stream' ? STREAMS : ASKED;
      const questions = times(warmUp + measured, () => question);
      figures[title] = spread(await timesOf(questions, warmUp));
    }
    return figures;
  }

  async function measureDrawn(isDeep: boolean): Promise<Figures> {
    for (const kind of KINDS) await Array.fromAsync(drawQuestions(kind, isDeep, WARM_UP, SEED + 1), ask);
    const found: [string, number[]][] = [];
    for (const kind of KINDS)
      found.push([kind, await timesOf(drawQuestions(kind, isDeep, isQuick || kind === DEAR ? QUICK_DRAWN : DRAWN))]);
    const usual = found.filter(([kind]) => kind !== DEAR && kind !== COUNTS);
    const all: [string, number[]] = ['all kinds', usual.flatMap(([, milliseconds]) => milliseconds)];
    return Object.fromEntries([all, ...found].map(([kind, milliseconds]) => [kind, spread(milliseconds)]));
  }

  async function measureWarm(): Promise<Figures> {
    const listing = createUserListing(withoutTime(database));
    const page = readPage(event('sort=name'));
    const { users: [{ id = 0 } = {}] = [] } = await listing.after({ filters: {}, after: 0, size: PAGE_SIZE });
    const costs = {
      'a batch after a cursor': await costOf(() => listing.after({ filters: {}, after: id, size: PAGE_SIZE })),
      'a list that has not changed (304)': await costOf(() => listing.page(page, () => true)),
      'a user by id': await costOf(() => createUserStore(database).get(id)),
    };
    return {
      'any page, any counts, the stream: read units': maximum(seen.map(({ readUnits }) => readUnits)),
      'any page, any counts, the stream: calls': maximum(seen.map(({ calls }) => calls)),
      ...Object.fromEntries(
        Object.entries(costs).flatMap(([title, { readUnits, calls }]) => [
          [`${title}: read units`, one(readUnits)],
          [`${title}: calls`, one(calls)],
        ]),
      ),
    };
  }

  return measureTables({
    'A new container, after a merge': repeated(runs, () => measureContainers(store)),
    'What is stored': () => changeSome(database).then(() => measureStored(database)),
    'A new container, with 5 % changed': repeated(runs, () => measureContainers(store)),
    'Chosen questions': repeated(runs, measureChosen),
    'Questions drawn at random, first page': repeated(runs, () => measureDrawn(false)),
    'Questions drawn at random, any page': repeated(runs, () => measureDrawn(true)),
    'Warm requests': measureWarm,
    'A merge': () => measureMerge(store),
    'Writes, in their requests': () => measureRequests(database),
    'The price of a create, whole': () => measurePrice(database, isQuick),
  });
}
