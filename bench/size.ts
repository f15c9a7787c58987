/**
 * `node bench/size.ts 10000` measures a store of one size. It prints each result as a line of JSON as soon as it is there.
 */
import { createAsk } from './ask.ts';
import { compare } from './baselines.ts';
import { CHOSEN } from './catalogue.ts';
import { openData } from './data.ts';
import { drawQuestions, KINDS, PLACES } from './drawn.ts';
import { type Cost, type Figure, summarize } from './figures.ts';
import type { Title } from './lines.ts';
import { print, printFigures } from './print.ts';
import { measureProcessor } from './processor.ts';
import type { Question } from './sample.ts';
import { measureWrites } from './writes.ts';

/** The usual ways read all users. With more users they would take an hour. */
const MOST_COMPARED = 100_000;
/** A quick run asks every fourth question. */
const QUICK_STEP = 4;
/** How many questions of each kind are drawn. */
const DRAWN = 60;

const isQuick = process.argv.includes('--quick');
const users = Number(process.argv[2]);
const store = await openData(users);
const { database } = store;
const ask = createAsk(database);

/** Shows the most expensive of them, as a figure has only numbers. */
async function askAll(title: string, questions: readonly Question[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const [i, question] of questions.entries())
    if (!isQuick || i % QUICK_STEP === 0) costs.push(await ask(question));
  const [dearest] = costs.toSorted((a, b) => b.units - a.units);
  process.stderr.write(`  ${title}: ${dearest?.units} units for ${dearest?.query} by ${dearest?.plan}\n`);
  return costs;
}

async function measureChosen(): Promise<[Title, Figure][]> {
  const figures: [Title, Figure][] = [];
  for (const [title, questions] of Object.entries(CHOSEN)) {
    figures.push([title as keyof typeof CHOSEN, summarize(await askAll(title, questions))]);
  }
  return figures;
}

async function measureDrawn(): Promise<[Title, Figure][]> {
  const figures: [Title, Figure][] = [];
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

try {
  await printFigures('Chosen questions', measureChosen);
  await printFigures('Questions drawn at random', measureDrawn);
  await printFigures('Time of the processor', () => measureProcessor(store, isQuick));
  await print('Compared with two usual ways', async () => ({ compared: await compare(store, users <= MOST_COMPARED) }));
  await printFigures('Writes', () => measureWrites(database));
} finally {
  await store.stop();
}
