/**
 * `node bench/size.ts 10000`: measures a store of one size, in a process of its own, and prints each group of figures as a
 * line of JSON as soon as it is there.
 */
import { createAsk } from './ask.ts';
import { compare } from './baselines.ts';
import { DEPTH, KEYWORDS, LISTS, type Row } from './catalogue.ts';
import { openData } from './data.ts';
import type { Compared, Figure, Group } from './figures.ts';
import { measureProcessor } from './processor.ts';
import { measureTraffic } from './traffic.ts';
import { measureWrites } from './writes.ts';

/** The usual ways read everything: beyond this they would take an hour. */
const MOST_COMPARED = 100_000;

const isQuick = process.argv.includes('--quick');
const users = Number(process.argv[2]);
const store = await openData(users);
const { database } = store;
const ask = createAsk(database);

async function askAll(rows: readonly Row[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const row of rows) figures.push(...(await ask(row, isQuick)));
  return figures;
}

async function print<Part extends Group | { compared: Compared[] }>(name: string, measure: () => Promise<Part>) {
  const start = performance.now();
  const part = await measure();
  process.stdout.write(`${JSON.stringify(part)}\n`);
  process.stderr.write(`  ${name}: ${Math.round((performance.now() - start) / 1_000)} s\n`);
}

const group = (title: string, measure: () => Promise<Figure[]>): Promise<void> =>
  print(title, async () => ({ title, figures: await measure() }));

try {
  await group('Lists, read units', () => askAll(LISTS));
  await group('Depth, read units', () => askAll(DEPTH));
  await group('Keywords, read units', () => askAll(KEYWORDS));
  await group('Time of the processor', () => measureProcessor(store, isQuick));
  await print('Beside two usual ways', async () => ({ compared: await compare(store, users <= MOST_COMPARED) }));
  await group('Writes, units', () => measureWrites(database));
  await group('Pages while others write, read units', () => measureTraffic(database, isQuick));
} finally {
  await store.stop();
}
