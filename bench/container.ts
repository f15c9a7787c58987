/** A new container: a process that has listed nothing yet. Its first answer; then other questions, each for the first time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readPageQuery } from '../lib/http/request/queries.ts';
import { event } from '../tests/support/events.ts';
import { createAsk } from './ask.ts';
import { CHOSEN } from './chosen.ts';
import { connectTo, type Store } from './data.ts';
import { type Cost, type Figures, maximum, spread } from './figures.ts';
import { times } from './sample.ts';

const CONTAINERS = 5;
/** The first page by name, and then others, but not the stream of all. */
const ASKED = [
  { query: 'sort=name' },
  ...Object.values(CHOSEN).filter(({ depth, kind }) => !depth && kind !== 'stream'),
];

/** Asks in this process. */
async function askOnce(endpoint: string): Promise<Cost[]> {
  const ask = createAsk(connectTo(endpoint));
  // Bundles have compiled validators.
  readPageQuery(event('keyword=a'), LISTINGS.listUsers);
  return Array.fromAsync(ASKED, ask);
}

export async function measureContainers({ endpoint }: Store): Promise<Figures> {
  const found = await Array.fromAsync(times(CONTAINERS), async (): Promise<Cost[]> => {
    const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, endpoint]);
    return JSON.parse(stdout);
  });
  const firsts = found.flatMap(([first]) => first ?? []);
  const others = found.map(([, ...costs]) => Math.max(...costs.map(({ milliseconds }) => milliseconds)));
  return {
    'read units': maximum(firsts.map(({ readUnits }) => readUnits)),
    calls: maximum(firsts.map(({ calls }) => calls)),
    'first page by name, milliseconds': spread(firsts.map(({ milliseconds }) => milliseconds)),
    'another question for the first time, milliseconds': spread(others),
  };
}

const [, , endpoint] = process.argv;
if (import.meta.main && endpoint) process.stdout.write(JSON.stringify(await askOnce(endpoint)));
