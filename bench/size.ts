import { createAsk, type Question } from './ask.ts';
import { measureBase, measureDeltas } from './base.ts';
import { changeSome } from './changed.ts';
import { CHOSEN, OTHERS } from './chosen.ts';
import { measureContainers } from './container.ts';
import type { Store } from './data.ts';
import { drawQuestions, KINDS, PLACES } from './drawn.ts';
import { type Cost, type Figures, maximum, one, spread } from './figures.ts';
import { measureParts } from './print.ts';
import { times } from './sample.ts';
import { measurePrice, measureRequests } from './writes.ts';

/** How many times each chosen question is asked, after it was asked to warm up; a stream fewer times. */
const ASKED = { warmUp: 5, measured: 41, streams: 5 };
/** How many questions of each kind are drawn. A quick run asks a quarter. */
const DRAWN = 60;
const QUICK_DRAWN = 15;

type Ask = ReturnType<typeof createAsk>;

const millisecondsOf = (costs: readonly Cost[]) => spread(costs.map(({ milliseconds }) => milliseconds));

/** Asks for the costs of warm questions. @param seen takes them, whatever was asked */
async function measureChosen(ask: Ask, seen: Cost[]): Promise<Figures> {
  const figures: Figures = {};
  for (const [title, question] of Object.entries<Question>(CHOSEN)) {
    const costs: Cost[] = [];
    const count = question.kind === 'all' ? ASKED.streams : ASKED.warmUp + ASKED.measured;
    for (const _ of times(count, () => 0)) costs.push(await ask(question));
    const measured = costs.slice(question.kind === 'all' ? 0 : ASKED.warmUp);
    seen.push(...costs.slice(1));
    figures[title] = millisecondsOf(measured);
  }
  return figures;
}

async function measureDrawn(ask: Ask, seen: Cost[], count: number): Promise<Figures> {
  const figures: Figures = {};
  for (const place of PLACES) {
    const ofPlace: Cost[] = [];
    for (const kind of KINDS) {
      const costs: (Cost & { query: string })[] = [];
      for (const question of drawQuestions(kind, place, count))
        costs.push({ ...(await ask(question)), query: question.query });
      figures[`${kind}, ${place}`] = millisecondsOf(costs);
      ofPlace.push(...costs);
      const [slowest] = costs.toSorted((a, b) => b.milliseconds - a.milliseconds);
      process.stderr.write(`    ${kind}, ${place}: ${slowest?.milliseconds.toFixed(1)} ms for ${slowest?.query}\n`);
    }
    figures[`all kinds, ${place}`] = millisecondsOf(ofPlace);
    seen.push(...ofPlace);
  }
  return figures;
}

async function measureOthers(ask: Ask, seen: readonly Cost[]): Promise<Figures> {
  const figures: Figures = {
    'any page, any counts, the stream: read units': maximum(seen.map(({ readUnits }) => readUnits)),
    'any page, any counts, the stream: calls': maximum(seen.map(({ calls }) => calls)),
  };
  for (const [title, question] of Object.entries<Question>(OTHERS)) {
    const { readUnits, calls } = await ask(question);
    Object.assign(figures, { [`${title}: read units`]: one(readUnits), [`${title}: calls`]: one(calls) });
  }
  return figures;
}

/** Measures what requests cost in a store of so many users. */
export async function measureSize(store: Store, isQuick: boolean): Promise<Figures> {
  const { database } = store;
  const ask = createAsk(database);
  /** All costs of warm questions. */
  const seen: Cost[] = [];
  return measureParts({
    'The base': () => measureBase(database),
    'New containers': () => measureContainers(store, 'after a merge'),
    '3 % of users change': () => changeSome(database).then(() => measureDeltas(database)),
    'New containers beside changes': () => measureContainers(store, 'with 3 % changed'),
    'Chosen questions': () => measureChosen(ask, seen),
    'Questions drawn at random': () => measureDrawn(ask, seen, isQuick ? QUICK_DRAWN : DRAWN),
    'Other requests': () => measureOthers(ask, seen),
    'Requests that write': () => measureRequests(database),
    'The price of a create': () => measurePrice(database, isQuick),
  });
}
