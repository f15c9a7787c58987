/** A new container: a process that has listed nothing yet. Its first answer; then other questions, each for the first time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createAsk, type Question } from './ask.ts';
import { CHOSEN } from './chosen.ts';
import { connectTo, type Store } from './data.ts';
import { type Cost, type Figures, maximum, median, one, spread } from './figures.ts';
import { times } from './sample.ts';

const CONTAINERS = 5;
const FIRST: Question = CHOSEN['first page by name'];

interface Found {
  first: Cost;
  /** The most of them. */
  other: Cost;
}

/** Asks in this process. */
async function askFirst(endpoint: string): Promise<Found> {
  const ask = createAsk(connectTo(endpoint));
  const first = await ask(FIRST);
  const others: Cost[] = [];
  for (const question of Object.values<Question>(CHOSEN))
    if (!question.depth && question.kind !== 'all') others.push(await ask(question));
  const [other = first] = others.toSorted((a, b) => b.milliseconds - a.milliseconds);
  return { first, other };
}

/** @param when what the base is like */
export async function measureContainers({ endpoint }: Store, when: string): Promise<Figures> {
  const found: Found[] = [];
  for (const _ of times(CONTAINERS, () => 0)) {
    const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, endpoint]);
    found.push(JSON.parse(stdout));
  }
  const firsts = found.map(({ first }) => first);
  return {
    [`read units, ${when}`]: maximum(firsts.map(({ readUnits }) => readUnits)),
    [`calls, ${when}`]: maximum(firsts.map(({ calls }) => calls)),
    [`first page by name, ${when}, milliseconds`]: spread(firsts.map(({ milliseconds }) => milliseconds)),
    [`another question for the first time, ${when}, milliseconds`]: one(
      median(found.map(({ other }) => other.milliseconds)),
    ),
  };
}

const [, , endpoint] = process.argv;
if (import.meta.main && endpoint) process.stdout.write(JSON.stringify(await askFirst(endpoint)));
