/** A new container: a process that has listed nothing yet. containers.ts bundles it as functions are, and starts it. */
import { readFileSync } from 'node:fs';
import { pageOf } from '../lib/columns/index.ts';
import { readPage } from '../lib/http/queries/lists.ts';
import { createReplica } from '../lib/replica/index.ts';
import { readJournal } from '../lib/replica/internals.ts';
import { totalOrder } from '../lib/users/order.ts';
import { event } from '../tools/samples/events.ts';
import { createAsk } from './ask.ts';
import { CHOSEN, WORDS } from './chosen.ts';
import { connectTo } from './connect.ts';
import { type Cost, costOf } from './figures.ts';
import { PAGE_SIZE } from './sample.ts';

/** The first page by name, then others, but not the stream of all, and words at last. */
const OTHERS = Object.values(CHOSEN).filter((each) => !each.depth && each.kind !== 'stream' && each !== WORDS);
const ASKED = [{ query: 'sort=name' }, ...OTHERS, WORDS];

/** Without changes there is no merge, and it would be waited for in vain. */
const MOST_REQUESTS = 10_000;

const BY_NAME = totalOrder([{ property: 'name', direction: 'asc' }]);

/** The costs of questions in one process, and the most megabytes of memory that it has had by then: those that Lambda counts. */
export interface Container {
  costs: Cost[];
  megabytes: number[];
}

/** `maxRSS` begins with that of the process which has started this one (getrusage(2)): the benchmark's own. Only Linux tells this one's. */
const mostMegabytes = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;

/** Asks the first page by name, then others, each for the first time. */
async function asked(endpoint: string): Promise<Container> {
  const ask = createAsk(connectTo(endpoint));
  // The first query compiles what reads all of them.
  readPage(event('keyword=a'));
  const answered: Container = { costs: [], megabytes: [] };
  for (const question of ASKED) {
    answered.costs.push(await ask(question));
    answered.megabytes.push(mostMegabytes());
  }
  return answered;
}

/** An empty function: it has the same code, and has read the journal. */
async function empty(endpoint: string): Promise<Container> {
  await readJournal(connectTo(endpoint));
  return { costs: [], megabytes: [mostMegabytes()] };
}

/** First pages by name while a container merges, and the one with which it has. */
async function merging(endpoint: string): Promise<Container> {
  const database = connectTo(endpoint);
  // More than half of the share of a usual merge has changed already.
  const { mergeShare } = database.limits;
  const limits = { ...database.limits, mergeLeast: 1, mergeShare: mergeShare / 2, mergeShareOfMany: mergeShare / 2 };
  const users = createReplica({ ...database, limits });
  const ask = async () => {
    const { replica } = await users.now();
    pageOf(replica, {}, BY_NAME, 0, PAGE_SIZE);
    return replica.base;
  };
  const first = await ask();
  const costs: Cost[] = [];
  for (let base = first; base === first && costs.length < MOST_REQUESTS; ) {
    costs.push(
      await costOf(async () => {
        base = await ask();
      }),
    );
  }
  return { costs, megabytes: [] };
}

export const KINDS = { asked, empty, merging };

/** Without TLS the SDK imports node:http at its first call, and by that all of fetch. At a stage it does not. */
async function run(endpoint: string, kind: keyof typeof KINDS): Promise<void> {
  await import('node:http');
  process.stdout.write(JSON.stringify(await KINDS[kind](endpoint)));
}

const [, , endpoint, kind] = process.argv;
if (endpoint && kind) run(endpoint, kind as keyof typeof KINDS);
