/** A new container: a process that has listed nothing yet. Its first answer; then other questions, each for the first time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readPageQuery } from '../lib/http/request/queries.ts';
import { readItems } from '../lib/users/journal/items.ts';
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

/** What questions cost in one process, and the most megabytes of memory that it has had by then: those that Lambda counts. */
interface Container {
  costs: Cost[];
  megabytes: number[];
}

const mostMegabytes = (): number => process.resourceUsage().maxRSS / 1_024;

/** Asks in this process. */
async function askOnce(endpoint: string): Promise<Container> {
  const ask = createAsk(connectTo(endpoint));
  // Bundles have compiled validators.
  readPageQuery(event('keyword=a'), LISTINGS.listUsers);
  const answered: Container = { costs: [], megabytes: [] };
  for (const question of ASKED) {
    answered.costs.push(await ask(question));
    answered.megabytes.push(mostMegabytes());
  }
  return answered;
}

/** An empty function: it has the same code, and has read the journal. */
async function askNothing(endpoint: string): Promise<Container> {
  await readItems(connectTo(endpoint));
  return { costs: [], megabytes: [mostMegabytes()] };
}

async function startContainer(endpoint: string, kind: 'asked' | 'empty'): Promise<Container> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, endpoint, kind]);
  return JSON.parse(stdout);
}

export async function measureContainers({ endpoint }: Store): Promise<Figures> {
  const found = await Array.fromAsync(times(CONTAINERS), () => startContainer(endpoint, 'asked'));
  const {
    megabytes: [empty = 0],
  } = await startContainer(endpoint, 'empty');
  const firsts = found.flatMap(({ costs: [first] }) => first ?? []);
  const others = found.map(({ costs: [, ...costs] }) => Math.max(...costs.map(({ milliseconds }) => milliseconds)));
  const over = (at: number) => maximum(found.map(({ megabytes }) => (megabytes.at(at) ?? 0) - empty));
  return {
    'read units': maximum(firsts.map(({ readUnits }) => readUnits)),
    calls: maximum(firsts.map(({ calls }) => calls)),
    'first page by name, milliseconds': spread(firsts.map(({ milliseconds }) => milliseconds)),
    'another question for the first time, milliseconds': spread(others),
    'most megabytes over an empty function, for the first page': over(0),
    'most megabytes over an empty function, for all of them': over(-1),
  };
}

const [, , endpoint, kind] = process.argv;
if (import.meta.main && endpoint)
  process.stdout.write(JSON.stringify(await (kind === 'empty' ? askNothing : askOnce)(endpoint)));
