/** Lists from OpenSearch beside those from the replica: the same questions, in one run, on one store. Nothing is recorded. */
import { createFollower, readHead } from '../lib/replica/index.ts';
import { createEngine } from '../lib/search/index.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/lists.ts';
import type { UserListing } from '../lib/users/questions.ts';
import { createSearchedListing } from '../lib/users/searched.ts';
import { createUserIndex, indexNames } from '../lib/users/userIndex.ts';
import { startOpenSearch } from '../tools/local/openSearch/start.ts';
import { createAsk, type Question, withoutTime } from './ask.ts';
import { median } from './figures.ts';

const STAGE = 'bench';

/** Each is asked this number of times, and the first ones do not count. */
const TIMES = 21;
const WARM = 6;

const QUESTIONS: [name: string, question: Question][] = [
  ['the first page', { query: '' }],
  ['the first page by last name', { query: 'sort=lastName' }],
  ['a walk by e-mail', { query: 'sort=email', kind: 'walk' }],
  ['a keyword of three letters', { query: 'keyword=ski&sort=age' }],
  ['a keyword of two letters', { query: 'keyword=an&sort=name' }],
  ['q with two words', { query: 'q=ann%20lee' }],
  ['a status and a country', { query: 'status=active&country=DE&sort=lastName' }],
  ['counts by status and country', { query: 'by=status,country', kind: 'counts' }],
  ['counts by last name', { query: 'by=lastName', kind: 'counts' }],
  ['page 2,500 by e-mail', { query: 'sort=email&page=2500' }],
];

/** Milliseconds by the clock, of each question. */
async function timesOf(database: Database, listing: UserListing): Promise<number[]> {
  const ask = createAsk(database, listing);
  const times: number[] = [];
  for (const [, question] of QUESTIONS) {
    const own: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      const start = performance.now();
      await ask(question);
      if (i >= WARM) own.push(performance.now() - start);
    }
    times.push(median(own));
  }
  return times;
}

/** @returns a table in Markdown */
export async function measureLarge(database: Database, users: number): Promise<string> {
  const replica = await timesOf(database, createUserListing(withoutTime(database)));
  const { endpoint, stop } = await startOpenSearch();
  const engine = createEngine({ endpoint, runtime: database.runtime, callMs: 120_000 });
  const follower = createFollower(database, createUserIndex(engine, STAGE), { changeOverMs: 0 });
  const start = performance.now();
  while (!(await readHead(database))?.base?.indexed) await follower.run(60_000);
  const seconds = (performance.now() - start) / 1_000;
  const listing = createSearchedListing(database, { engine, nameOf: indexNames(STAGE) });
  const searched = await timesOf(database, listing);
  const found = await engine({ method: 'GET', path: `/_cat/indices/${STAGE}-*?format=json&bytes=b` });
  await stop();
  const bytes = Math.round(Number(found[0]['store.size']) / users);
  const rows = QUESTIONS.map(([name], i) => {
    const [before = 0, after = 0] = [replica[i], searched[i]];
    return `| ${name} | ${before.toFixed(1)} | ${after.toFixed(1)} | ${(after / before).toFixed(1)} |`;
  });
  return [
    `| ${users.toLocaleString('en')} users | replica, ms | OpenSearch, ms | ÷ |`,
    '|---|--:|--:|--:|',
    ...rows,
    `\n${bytes} bytes a user in the index, which took ${seconds.toFixed(0)} s.`,
  ].join('\n');
}
