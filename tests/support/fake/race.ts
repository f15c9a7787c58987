import { createFold } from '../../../lib/users/fold/fold.ts';
import { createUserListing } from '../../../lib/users/listing/listing.ts';
import { verify } from '../../../lib/users/verify/verify.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../model.ts';
import { askPage } from '../questions.ts';
import { HISTORY_DAYS } from '../service.ts';
import { Answers } from './answers.ts';
import { Clients } from './clients.ts';
import { Course, isStatus, type RaceOptions, type RaceReport } from './course.ts';
import { fieldsBy, pick } from './drawn.ts';
import { Followers } from './followers.ts';
import { differ, foldAll } from './steps.ts';

/** Lambda ends a function after so long. */
const LONGEST_REQUEST_MS = 29_000;

const DEFAULT_PAUSE_MS = 4_000;

type UserStore = ReturnType<typeof createUserStore>;

/** The ids of users who are gone. */
const goneOf = (writes: readonly { id: number }[], present: readonly ModelUser[]): number[] => {
  const ids = new Set(present.map(({ id }) => id));
  return [...new Set(writes.map(({ id }) => id))].filter((id) => !ids.has(id));
};

/** One random write, mostly of a favourite user, so that some users are written many times. @returns the next favourite */
async function writeOnce(course: Course, users: UserStore, favourite: number | undefined): Promise<number | undefined> {
  const { scheduler, committed } = course;
  const { random } = scheduler;
  const present = course.truth();
  const isThere = favourite !== undefined && present.some(({ id }) => id === favourite);
  const someone = isThere && random() < 0.6 ? favourite : pick(scheduler, present)?.id;
  const chance = random();
  const gone = pick(scheduler, goneOf(committed.written, present));
  try {
    if (gone !== undefined && chance < 0.1) await users.createWithId(gone, fieldsBy(scheduler));
    else if (someone === undefined || chance < 0.35) await users.create(fieldsBy(scheduler));
    else if (chance < 0.55) await users.delete(someone);
    else await users.update(someone, () => fieldsBy(scheduler));
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 412)) throw error;
  }
  return someone;
}

async function write(course: Course, process: string): Promise<void> {
  const { writes = 8, pauseMs = DEFAULT_PAUSE_MS } = course.options;
  const { random } = course.scheduler;
  const database = course.databaseOf(process);
  const users = createUserStore(database);
  let favourite: number | undefined;
  for (let i = 0; i < writes; i++) {
    await database.runtime.sleep(random() < 0.4 ? 0 : random() * pauseMs);
    favourite = await writeOnce(course, users, favourite);
  }
  course.busy--;
}

async function read(course: Course, process: string, answers: Answers): Promise<void> {
  const { reads = 8, pauseMs = DEFAULT_PAUSE_MS, rebuilds, isWalking } = course.options;
  const { random, now } = course.scheduler;
  const database = course.databaseOf(process);
  const listing = createUserListing(database);
  for (let i = 0; i < reads; i++) {
    await database.runtime.sleep(random() * pauseMs);
    const began = now();
    try {
      await (isWalking ? answers.walk(listing) : answers.ask(listing));
    } catch (error) {
      // Lambda would have ended the request before.
      const isTooLong = now() - began > LONGEST_REQUEST_MS && rebuilds !== undefined;
      if (!isTooLong && !isStatus(error, 503)) throw error;
      course.report.unavailable++;
    }
  }
  course.busy--;
}

/** Folds until nobody is busy. When the process dies, another one takes its place. */
function startFold(course: Course, process: string): void {
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process, () => course.isBusy() && startFold(course, `${process}'`));
    const fold = createFold(database, { restMs: 0, historyDays: HISTORY_DAYS });
    while (course.isBusy()) {
      await fold.run(5_000).catch((error: unknown) => {
        if (!isStatus(error, 503)) throw error;
      });
      await database.runtime.sleep(course.scheduler.random() * 500);
    }
  });
}

/** Builds all statistics again and again. When the process dies, another one takes its place. */
function startRebuild(course: Course, process: string): void {
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process, () => course.isBusy() && startRebuild(course, `${process}'`));
    while (course.isBusy()) {
      await database.runtime.sleep(course.scheduler.random() * 20_000);
      try {
        await verify(database, { always: true });
        course.report.rebuilt++;
      } catch (error) {
        if (!isStatus(error, 503)) throw error;
      }
    }
  });
}

function startFollowers(course: Course, followers: Followers, count: number): void {
  const { scheduler, store } = course;
  for (let i = 0; i < count; i++) {
    const database = course.databaseOf(`follower${i}`);
    const lasts = async () => {
      await database.runtime.sleep(60_000);
      await foldAll({ ...database, dynamo: store.client() }, HISTORY_DAYS);
    };
    scheduler.start(`follower${i}`, () => followers.follow(database, i === 0, course.isBusy, lasts));
  }
}

/** Checks that everything is exact after all is folded. */
async function checkAtRest(course: Course, followers: Followers, clients: Clients): Promise<void> {
  const { store, committed, options } = course;
  const database = { ...course.databaseOf('last'), dynamo: store.client() };
  await database.runtime.sleep(30_000);
  differ('entries that are left', await foldAll(database, HISTORY_DAYS), 0);
  const { differences, wrongChanges } = await verify(database);
  differ('users whom lists have otherwise', differences, []);
  if (options.followers) followers.check(committed.written);
  if (options.followers || options.clients) differ('changes that are wrong', wrongChanges, 0);
  if (options.clients) clients.check(course.truth());
  const query: ModelQuery = { sort: [], page: 0, size: 100 };
  differ('at rest', (await askPage(createUserListing(database), query)).page, modelPage(course.truth(), query));
}

/**
 * Writers, readers and folds over one store, one step at a time in a random order. Processes freeze and die, attempts of writes
 * arrive twice or late, indexes are late, and queries read item by item.
 *
 * @throws when a list, a total or a tag is wrong at any moment
 */
export async function race(options: RaceOptions): Promise<RaceReport> {
  const { writers = 2, readers = 2, folds = 2, rebuilds = 0, clients: asking = 0, operations = 0 } = options;
  const course = new Course(options);
  const { scheduler } = course;
  const [answers, followers, clients] = [new Answers(course), new Followers(scheduler), new Clients(course)];
  const first = createUserStore({ ...course.databaseOf('first'), dynamo: course.store.client() });
  for (let i = 0; i < (options.users ?? 0); i++) await first.create(fieldsBy(scheduler));
  course.busy = writers + readers + asking;
  for (let i = 0; i < writers; i++) scheduler.start(`writer${i}`, () => write(course, `writer${i}`));
  for (let i = 0; i < readers; i++) scheduler.start(`reader${i}`, () => read(course, `reader${i}`, answers));
  for (let i = 0; i < folds; i++) startFold(course, `fold${i}`);
  for (let i = 0; i < rebuilds; i++) startRebuild(course, `rebuild${i}`);
  for (let i = 0; i < asking; i++) scheduler.start(`client${i}`, () => clients.work(`client${i}`, operations));
  startFollowers(course, followers, options.followers ?? 0);
  await scheduler.run();
  scheduler.start('last', () => checkAtRest(course, followers, clients));
  await scheduler.run();
  return course.report;
}
