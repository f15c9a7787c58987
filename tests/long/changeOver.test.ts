/**
 * A stage of many users goes from the replica to OpenSearch and back, beside writers, by `npm run lists`, which is killed in the middle each time, and run
 * again. Then its index is made anew, and is lost. Each list is compared with a plain model; a stage that answers none is away.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEEPER } from '../../lib/changes/keep.ts';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { ServiceError, systemRuntime } from '../../lib/ground/index.ts';
import {
  createFold,
  createFoldWith,
  createFollower,
  createIndexUpkeep,
  createRepair,
  readHead,
} from '../../lib/replica/index.ts';
import { createEngine } from '../../lib/search/index.ts';
import { type Database, isUser, LIMITS, toUser } from '../../lib/users/database.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import type { UserListing } from '../../lib/users/questions.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { createSearchedListing } from '../../lib/users/searched.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { represent, type User } from '../../lib/users/user.ts';
import { createUserIndex, indexNames } from '../../lib/users/userIndex.ts';
import { createMissingTables } from '../../tools/deploy/tables.ts';
import { startLocalStore } from '../../tools/local/localStore.ts';
import { missingForOpenSearch, startOpenSearch } from '../../tools/local/openSearch/start.ts';
import { templateTables } from '../../tools/local/templateTables.ts';
import { loadUsers } from '../../tools/samples/loadUsers.ts';
import { people } from '../../tools/samples/people.ts';
import { logOfEachTest } from '../support/logs.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../support/model.ts';
import { startProgram } from '../support/programs.ts';
import { askPage } from '../support/questions.ts';
import { startGate } from '../support/servers.ts';

/** The number of users. */
const USERS = Number(process.env.CHANGE_OVER_USERS ?? 100_000);

const STAGE = 'rehearsal';
const TABLES = { users: 'rehearsal-users', directory: 'rehearsal-directory' };

const AWAY_MS = 60_000;

/** Nothing here takes longer, in milliseconds: on a machine with other work a copy takes some minutes. */
const LONGEST_MS = 600_000;

/** The calls of `--to replica` that are answered before it is killed: it has read the head thrice, and reads users. */
const CALLS_BEFORE_CUT = 4;

/** How long a fold of before a deployment goes on beside the next one, in milliseconds. */
const FOLD_MS = 5_000;

const QUESTIONS: Partial<ModelQuery>[] = [
  {},
  { page: 3, size: 100 },
  { status: 'active', country: 'DE', sort: [{ property: 'lastName', direction: 'asc' }] },
  { country: 'FR', keyword: 'an', sort: [{ property: 'email', direction: 'desc' }] },
  { 'age.gte': 97, sort: [{ property: 'name', direction: 'asc' }] },
  { country: 'FR', q: 'ann' },
];

// Followers tell of an index that is away.
logOfEachTest();

const source = people(11);
const nextFields = () => source.next().value as Exclude<ReturnType<typeof source.next>['value'], void>;

/** The users as they are, beside the stage. A writer, or a list, has them alone. */
class Truth {
  readonly users = new Map<number, ModelUser>();
  private last: Promise<unknown> = Promise.resolve();

  put(user: User): void {
    this.users.set(user.id, represent(user) as ModelUser);
  }

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }
}

/** Runs something again and again until it is ended. */
function repeatedly(pauseMs: number, work: () => Promise<unknown>): { end: () => Promise<void> } {
  let isRunning = true;
  const ended = (async () => {
    while (isRunning) {
      await work();
      await sleep(pauseMs);
    }
  })();
  return {
    end() {
      isRunning = false;
      return ended;
    },
  };
}

/** A user of those that there are, at random. */
function someone({ users }: Truth): number {
  const ids = users.keys();
  for (let n = Math.floor(Math.random() * Math.min(users.size, 5_000)); n > 0; n--) ids.next();
  return ids.next().value ?? 0;
}

async function writeOnce(truth: Truth, store: ReturnType<typeof createUserStore>): Promise<void> {
  const [chance, id] = [Math.random(), someone(truth)];
  if (chance < 0.4) truth.put(await store.create(nextFields()));
  else if (chance < 0.6) {
    await store.delete(id);
    truth.users.delete(id);
  } else truth.put(await store.update(id, (user) => ({ ...user, ...nextFields() })));
}

/** Lists from the present deployment, and the time for which none was answered. */
class Lists {
  listing: UserListing;
  /** The lists that were answered, each as the model says. */
  exact = 0;
  wrong: unknown[] = [];
  longest = 0;
  private answered = performance.now();
  private readonly truth: Truth;

  constructor(truth: Truth, listing: UserListing) {
    this.truth = truth;
    this.listing = listing;
  }

  private note(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.answered);
    this.answered = now;
  }

  /** Waits until some lists have been answered. */
  async someMore(): Promise<void> {
    for (const wanted = this.exact + this.wrong.length + 10; this.exact + this.wrong.length < wanted; )
      await sleep(100);
  }

  /** @returns for how long the stage has been away at most since the last call, in seconds */
  away(): number {
    this.note();
    const { longest } = this;
    this.longest = 0;
    return longest / 1_000;
  }

  async ask(): Promise<void> {
    const question = QUESTIONS[Math.floor(Math.random() * QUESTIONS.length)] ?? {};
    await this.truth.alone(async () => {
      try {
        const { page } = await askPage(this.listing, question);
        this.note();
        const right = modelPage([...this.truth.users.values()], question);
        if (JSON.stringify(sorted(page)) === JSON.stringify(sorted(right))) this.exact++;
        else this.wrong.push({ question, page, right });
        this.answered = performance.now();
      } catch (error) {
        if (!(error instanceof ServiceError && error.status === 503)) throw error;
      }
    });
  }
}

/** Members in the order of their names. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, sorted(each)]));
};

describe.skipIf(missingForOpenSearch() !== undefined)(`a stage of ${USERS} users, beside writers`, () => {
  const truth = new Truth();
  const ends: (() => Promise<unknown>)[] = [];
  let database: Database;
  let endpoint: string;
  let environment: NodeJS.ProcessEnv;
  let lists: Lists;
  let fold: { end: () => Promise<void> };

  const engineOf = () => createEngine({ endpoint, runtime: systemRuntime });

  /** The fold of a deployment, and its lists. The fold of before goes on for a moment. */
  function deploy(engine: 'replica' | 'opensearch'): void {
    const options = { restMs: 0 };
    const before = fold;
    if (engine === 'replica') {
      const { run } = createFold(database, options);
      lists.listing = createUserListing(database);
      fold = repeatedly(100, () => run(FOLD_MS));
    } else {
      const { run } = createFoldWith(database, createIndexUpkeep(database), options);
      const follower = createFollower(database, createUserIndex(engineOf(), STAGE), { changeOverMs: FOLD_MS });
      const beside = follower.beside(run);
      lists.listing = createSearchedListing(database, { engine: engineOf(), nameOf: indexNames(STAGE) });
      fold = repeatedly(100, () => beside(FOLD_MS));
    }
    ends.push(() => fold.end());
    void before?.end();
  }

  /** `npm run lists`, as a process. */
  const listsTo = (options: string[], more: NodeJS.ProcessEnv = {}) =>
    startProgram(process.execPath, ['tools/operate/lists.ts', '--stage', STAGE, ...options], {
      env: { ...environment, ...more },
    });

  async function head() {
    const found = await readHead(database);
    if (!found?.base) throw new Error('The stage has no head');
    return { ...found, base: found.base };
  }

  async function until(is: () => Promise<boolean>): Promise<void> {
    for (let end = performance.now() + LONGEST_MS; !(await is()); await sleep(100))
      if (performance.now() > end) throw new Error(`It has not come to be: ${is}`);
  }

  beforeAll(async () => {
    const store = await startLocalStore();
    ends.unshift(store.stop);
    environment = {
      ...{ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, AWS_REGION: 'local' },
      ...{ AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
      ...{ USERS_TABLE: TABLES.users, DIRECTORY_TABLE: TABLES.directory },
    };
    const dynamo = createDynamo({ endpoint: store.endpoint, isUnhurried: true });
    database = { dynamo, tables: TABLES, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS };
    Object.assign(database, { keeper: KEEPER, historyDays: 7 });
    const client = new DynamoDBClient({ endpoint: store.endpoint });
    await createMissingTables(client, templateTables(TABLES)).finally(() => client.destroy());
    await loadUsers(database, people(7), { users: USERS });
    await createRepair(database).scan((items) => {
      for (const item of items) if (isUser(item)) truth.put(toUser(item));
    });
    const openSearch = await startOpenSearch();
    ends.unshift(openSearch.stop);
    endpoint = openSearch.endpoint;
    lists = new Lists(truth, createUserListing(database));
    deploy('replica');
    const writer = createUserStore(database);
    const askAndRest = async () => {
      const start = performance.now();
      await lists.ask();
      // The stage is in this process, where the model takes a second for some answers.
      await sleep(2 * (performance.now() - start));
    };
    for (const work of [() => truth.alone(() => writeOnce(truth, writer)), askAndRest])
      ends.push(repeatedly(100, work).end);
  });

  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  function expectExact(): void {
    expect(lists.wrong).toEqual([]);
    expect(lists.exact).toBeGreaterThanOrEqual(10);
    lists.exact = 0;
  }

  /** Kills the command in the middle, and runs it again. */
  async function cut(
    isInTheMiddle: () => Promise<boolean>,
    options: string[],
    more?: NodeJS.ProcessEnv,
  ): Promise<string> {
    const first = listsTo(options, more);
    // Of few users all may have been copied already: then there is nothing to cut.
    const early = first.ended.then(({ code, stdout, stderr }) => {
      if (code !== 0) throw new Error(`The command ended with ${code} before it was killed: ${stdout}${stderr}`);
    });
    await Promise.race([until(isInTheMiddle), early]);
    early.catch(() => {});
    first.child.kill('SIGKILL');
    const second = await listsTo(options).ended;
    expect(second, second.stderr).toMatchObject({ code: 0 });
    return second.stdout;
  }

  const toOpenSearch = () => ['--to', 'opensearch', '--url', endpoint];

  async function toIndex() {
    const isHalf = async () => ((await head()).copy?.users ?? 0) > USERS / 3;
    const start = performance.now();
    const said = await cut(isHalf, toOpenSearch());
    expect(said).toMatch(/copied. Deploy the stage/);
    const copied = (performance.now() - start) / 1_000;
    expect(lists.away()).toBeLessThan(10);
    deploy('opensearch');
    await until(async () => Boolean((await head()).base.indexed));
    await lists.someMore();
    const away = lists.away();
    process.stderr.write(`copied in ${copied.toFixed(0)} s, away for ${away.toFixed(1)} s\n`);
    expect(away * 1_000).toBeLessThan(AWAY_MS);
    expectExact();
  }

  async function anew() {
    const { name } = (await head()).base;
    expect(await listsTo(['--anew', '--url', endpoint]).ended).toMatchObject({ code: 0 });
    await until(async () => (await head()).base.name !== name);
    await lists.someMore();
    const away = lists.away();
    process.stderr.write(`made anew, away for ${away.toFixed(1)} s\n`);
    expect(away).toBeLessThan(10);
    expectExact();
  }

  async function lost() {
    const { name } = (await head()).base;
    await engineOf()({ method: 'DELETE', path: `/${indexNames(STAGE)(name)}` });
    await until(async () => (await head()).base.name !== name);
    await lists.someMore();
    process.stderr.write(`lost, away for ${lists.away().toFixed(1)} s\n`);
    expectExact();
  }

  async function back() {
    deploy('replica');
    const gate = await startGate(String(environment.AWS_ENDPOINT_URL_DYNAMODB), {
      before: async (count) => {
        if (count > CALLS_BEFORE_CUT) await new Promise(() => {});
      },
    });
    ends.push(gate.close);
    const isReading = async () => gate.passed.length > CALLS_BEFORE_CUT;
    const said = await cut(isReading, ['--to', 'replica'], { AWS_ENDPOINT_URL_DYNAMODB: gate.url });
    expect(said).toMatch(/All users were read|come from the replica already/);
    await lists.someMore();
    const away = lists.away();
    process.stderr.write(`back, away for ${away.toFixed(1)} s\n`);
    expect((await head()).base.indexed).toBeUndefined();
    expect(away * 1_000).toBeLessThan(AWAY_MS);
    expectExact();
  }

  test('goes to OpenSearch and back, has its index made anew, and loses it: no list is wrong, and none away for a minute but for a lost index', async () => {
    for (const step of [toIndex, anew, lost, back]) await step();
  });
});
