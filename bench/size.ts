/** `tsx bench/size.ts 10000`: measures a store of one size and prints JSON, in a process of its own. */
import { createAsk } from './ask.ts';
import { compare } from './baselines.ts';
import { DEPTH, KEYWORDS, LISTS, type Row } from './catalogue.ts';
import { openData } from './data.ts';
import type { Figure, Measurement } from './figures.ts';
import { measureProcessor } from './processor.ts';
import { measureTraffic } from './traffic.ts';
import { measureWrites } from './writes.ts';

const isQuick = process.argv.includes('--quick');

const say = (text: string): void => {
  process.stderr.write(`  ${text}\n`);
};

async function group(title: string, measure: () => Promise<Figure[]>): Promise<Measurement['groups'][number]> {
  const start = performance.now();
  const figures = await measure();
  say(`${title}: ${Math.round((performance.now() - start) / 1_000)} s`);
  return { title, figures };
}

async function measure(users: number): Promise<Measurement> {
  const store = await openData(users);
  const { database } = store;
  const ask = createAsk(database);
  const rows = async (all: readonly Row[]) => {
    const figures: Figure[] = [];
    for (const row of all) figures.push(await ask(row, isQuick));
    return figures;
  };
  try {
    return {
      users,
      compared: await compare(store),
      groups: [
        await group('Lists, read units', () => rows(LISTS)),
        await group('Depth, read units', () => rows(DEPTH)),
        await group('Keywords, read units', () => rows(KEYWORDS)),
        await group('Time of the processor', () => measureProcessor(store, isQuick)),
        await group('Writes, units', () => measureWrites(database)),
        await group('Pages while others write, read units', () => measureTraffic(database, isQuick)),
      ],
    };
  } finally {
    await store.stop();
  }
}

process.stdout.write(JSON.stringify(await measure(Number(process.argv[2]))));
