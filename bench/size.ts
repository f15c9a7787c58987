import { createAsk } from './ask.ts';
import { CHOSEN } from './catalogue.ts';
import { openData } from './data.ts';
import { drawQuestions, KINDS, PLACES } from './drawn.ts';
import { type Cost, summarize } from './figures.ts';
import { type Figures, measureParts } from './print.ts';
import type { Question } from './sample.ts';
import { measureWrites } from './writes.ts';

/** A quick run asks every fourth question. */
const QUICK_STEP = 4;
/** How many questions of each kind are drawn. */
const DRAWN = 60;

type AskAll = (title: string, questions: readonly Question[]) => Promise<Cost[]>;

async function measureChosen(askAll: AskAll): Promise<Figures> {
  const figures: Figures = [];
  for (const [title, questions] of Object.entries(CHOSEN))
    figures.push([title as keyof typeof CHOSEN, summarize(await askAll(title, questions))]);
  return figures;
}

async function measureDrawn(askAll: AskAll, users: number): Promise<Figures> {
  const figures: Figures = [];
  const all: Cost[] = [];
  for (const place of PLACES) {
    const ofPlace: Cost[] = [];
    for (const kind of KINDS) {
      const costs = await askAll(`${kind}, ${place}`, drawQuestions(kind, place, DRAWN, { users }));
      figures.push([`${kind}, ${place}`, summarize(costs)]);
      ofPlace.push(...costs);
    }
    figures.push([`all kinds, ${place}`, summarize(ofPlace)]);
    all.push(...ofPlace);
  }
  return [...figures, ['all kinds, all pages', summarize(all)]];
}

/** Measures what requests cost in a store of so many users. */
export async function measureSize(users: number, isQuick: boolean): Promise<Figures> {
  const { database, stop } = await openData(users);
  const ask = createAsk(database);
  /** Shows the most expensive of them, as a figure has only numbers. */
  const askAll: AskAll = async (title, questions) => {
    const costs: Cost[] = [];
    for (const [i, question] of questions.entries())
      if (!isQuick || i % QUICK_STEP === 0) costs.push(await ask(question));
    const [dearest] = costs.toSorted((a, b) => b.units - a.units);
    process.stderr.write(`  ${title}: ${dearest?.units} units for ${dearest?.query} by ${dearest?.plan}\n`);
    return costs;
  };
  return measureParts({
    'Chosen questions': () => measureChosen(askAll),
    'Questions drawn at random': () => measureDrawn(askAll, users),
    Writes: () => measureWrites(database),
  }).finally(stop);
}
