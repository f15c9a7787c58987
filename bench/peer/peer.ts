/** The same users, the same questions and the same answers as a PostgreSQL that is installed, and how long both take. */

import { pageOf, rowsOf } from '../../lib/columns/index.ts';
import { readPage } from '../../lib/http/queries/lists.ts';
import { createReplica } from '../../lib/replica/index.ts';
import { questionOf } from '../../lib/users/asked.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import { totalOrder } from '../../lib/users/order.ts';
import { event } from '../../tools/samples/events.ts';
import { changeSome } from '../changed.ts';
import type { Store } from '../data.ts';
import { type Figures, median } from '../figures.ts';
import { PAGE_SIZE, pageAt, times } from '../sample.ts';
import { askPostgres, loadPostgres, startPostgres } from './postgres.ts';
import questions from './questions.json' with { type: 'json' };

/** The query of a request, and by hand what SQL has for it. */
interface Question {
  query: string;
  depth?: number;
  where?: string;
  by: string;
}

const ROUNDS = 15;
/** Before those that are timed. */
const WARM_UP = 3;

async function timed<Result>(run: () => Result | Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
  const began = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - began };
}

/** Asks in turn: the replica, the whole service, and PostgreSQL. Times by the clock. @throws {Error} when an answer differs */
export async function measurePeer({ database }: Store, programs: string): Promise<Figures> {
  await changeSome(database);
  const listing = createUserListing(database);
  const { replica } = await createReplica(database).now();
  const { client, folder, stop } = await startPostgres(programs);
  const figures: Figures = {};
  const ratios: number[] = [];

  async function compare(title: string, { query, depth = 0, where = 'true', by }: Question): Promise<void> {
    const read = (page = 0) => readPage(event(`${query}&page=${page}`));
    const { filters, order } = read();
    const { total } = pageOf(replica, questionOf(filters), order, 0, 1);
    const page = read(pageAt(depth, total));
    const skip = page.number * PAGE_SIZE;
    const found: number[][] = [];
    for (const _ of times(WARM_UP + ROUNDS)) {
      const ours = await timed(() => pageOf(replica, questionOf(filters), order, skip, PAGE_SIZE));
      const service = await timed(() => listing.page(page));
      const theirs = await timed(() => askPostgres(client, where, by, skip, PAGE_SIZE));
      const answer = { total: ours.result.total, ids: ours.result.rows.map(({ id }) => id) };
      if (JSON.stringify(answer) !== JSON.stringify(theirs.result))
        throw new Error(`${title}: ${JSON.stringify(answer)} here, ${JSON.stringify(theirs.result)} there`);
      const [a, b, c] = [ours.milliseconds, service.milliseconds, theirs.milliseconds];
      found.push([a, b, c, a / c]);
    }
    const [ours = 0, service = 0, peer = 0, ratio = 0] = times(4, (i) =>
      median(found.slice(WARM_UP).map((each) => each[i] ?? 0)),
    );
    figures[title] = { replica: ours, service, peer, ratio };
    ratios.push(ratio);
    process.stderr.write(`  ${title}: ${ours} ms here, ${service} with the journal, ${peer} there\n`);
  }

  try {
    await loadPostgres(client, folder, rowsOf(replica, {}, totalOrder([])).rows);
    for (const [title, question] of Object.entries<Question>(questions)) await compare(title, question);
  } finally {
    await stop();
  }
  return { ...figures, 'all: median · most': { median: median(ratios), most: Math.max(...ratios) } };
}
