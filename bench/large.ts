/** Lists from OpenSearch beside those from the replica: the same questions, in one run, on one store. */
import type { Row } from '../lib/columns/index.ts';
import { countsQuery, readPage } from '../lib/http/queries/lists.ts';
import { createFollower, readHead } from '../lib/replica/index.ts';
import { beginCopy, newBaseName } from '../lib/replica/internals.ts';
import { createEngine, type Engine } from '../lib/search/index.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/lists.ts';
import { totalOrder } from '../lib/users/order.ts';
import type { UserListing, UserPage, UserStream } from '../lib/users/questions.ts';
import { createSearchedListing } from '../lib/users/searched.ts';
import type { ListedUser } from '../lib/users/user.ts';
import { createUserIndex, indexNames } from '../lib/users/userIndex.ts';
import { startOpenSearch } from '../tools/local/openSearch/start.ts';
import { event } from '../tools/samples/events.ts';
import { createAsk, type Question, withoutTime } from './ask.ts';
import { type Figure, type Figures, median, one } from './figures.ts';

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
  ['counts by country', { query: 'by=country', kind: 'counts' }],
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

/** Lists have the fields of rows. */
function* rowsOf(users: Iterable<ListedUser>, version: number) {
  for (const user of users) yield { id: user.id, version, row: user as unknown as Row };
}

/** Puts the users of the base into an index, and this in the place of the base: of many users the table has few. @returns seconds */
async function fillIndex(database: Database, engine: Engine): Promise<number> {
  const head = await readHead(database);
  if (!head?.base) throw new Error('The store has no base');
  const { epoch, base } = head;
  const { at, kinds, users } = base;
  const name = newBaseName(database, epoch);
  const index = createUserIndex(engine, STAGE);
  const start = performance.now();
  await index.create(name);
  const all = await createUserListing(withoutTime(database)).all({ filters: {}, order: totalOrder([]) });
  for await (const some of (all as UserStream).users) await index.put(name, rowsOf(some, epoch));
  await index.show(name);
  const seconds = (performance.now() - start) / 1_000;
  if (!(await beginCopy(database, { name, epoch, at, kinds, users, indexed: epoch })))
    throw new Error('The index does not come in the place of the base');
  const follower = createFollower(database, index, { changeOverMs: 0 });
  while (!(await readHead(database))?.base?.indexed) await follower.run(60_000);
  return seconds;
}

/** The answers of a listing to the questions for pages and counts. */
async function answersOf(listing: UserListing): Promise<string[]> {
  const answers: object[] = [];
  for (const [name, { query, kind = 'page' }] of QUESTIONS) {
    const asked = event(query);
    if (kind === 'counts') answers.push([name, await listing.counts(countsQuery.read(asked))]);
    if (kind !== 'page') continue;
    const { users, total, tag } = (await listing.page(readPage(asked))) as UserPage;
    answers.push([name, users, total, tag]);
  }
  return answers.map((each) => JSON.stringify(each));
}

const rounded = (value: number): number => Number(value.toPrecision(3));

/** @param fewer with 100,000 users in the same run, or in an earlier one */
export async function measureLarge(database: Database, users: number, fewer: Figures = {}): Promise<Figures> {
  const ofBase = createUserListing(withoutTime(database));
  const expected = await answersOf(ofBase);
  const replica = await timesOf(database, ofBase);
  const { endpoint, stop } = await startOpenSearch();
  try {
    const engine = createEngine({ endpoint, runtime: database.runtime, callMs: 120_000 });
    const seconds = await fillIndex(database, engine);
    // Nobody asks the same twice: between two questions somebody has changed.
    await engine({ method: 'PUT', path: `/${STAGE}-*/_settings`, body: { 'index.requests.cache.enable': false } });
    const ofIndex = createSearchedListing(database, { engine, nameOf: indexNames(STAGE) });
    for (const [i, answer] of (await answersOf(ofIndex)).entries())
      if (answer !== expected[i]) throw new Error(`The index answers otherwise: ${answer.slice(0, 500)}`);
    const searched = await timesOf(database, ofIndex);
    const [index] = await engine({ method: 'GET', path: `/_cat/indices/${STAGE}-*?format=json&bytes=b` });
    const questions = QUESTIONS.map(([name], i): [string, Figure] => {
      const [before = 0, after = 0] = [replica[i], searched[i]];
      const own = fewer[name]?.peer;
      const growth = own === undefined ? {} : { growth: rounded(after / own) };
      return [name, { replica: rounded(before), peer: rounded(after), ratio: rounded(after / before), ...growth }];
    });
    return {
      ...Object.fromEntries(questions),
      'bytes of a user in the index': one(Number(index['store.size']) / users),
      'users a second into the index': one(users / seconds),
    };
  } finally {
    await stop();
  }
}
