import { createFold, createFoldWith, createFollower, createIndexUpkeep, readHead } from '../../../lib/replica/index.ts';
import { raiseParts } from '../../../lib/replica/internals.ts';
import type { Database } from '../../../lib/users/database.ts';
import { createUserListing } from '../../../lib/users/lists.ts';
import type { UserListing } from '../../../lib/users/questions.ts';
import { createSearchedListing } from '../../../lib/users/searched.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { createUserIndex, indexNames } from '../../../lib/users/userIndex.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../model.ts';
import { askPage } from '../questions.ts';
import { Answers } from './answers.ts';
import { Clients } from './clients.ts';
import { Course, isStatus, type RaceOptions, type RaceReport } from './course.ts';
import { fieldsBy, pick } from './drawn.ts';
import { Followers } from './followers.ts';
import { differ, foldAll } from './steps.ts';

const MINUTE_MS = 60_000;
const DEFAULT_PAUSE_MS = 4_000;

type UserStore = ReturnType<typeof createUserStore>;

/** The ids of users who are gone. */
const goneOf = (writes: readonly { id: number }[], present: readonly ModelUser[]): number[] => {
  const ids = new Set(present.map(({ id }) => id));
  return [...new Set(writes.map(({ id }) => id))].filter((id) => !ids.has(id));
};

/** Between two requests; sometimes so long that bases come and go. */
const pauseOf = ({ scheduler, options }: Course, longest: number): number =>
  scheduler.random() * (options.jumps && scheduler.random() < 0.1 ? 40 * MINUTE_MS : longest);

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
    // No attempt had an answer, or minutes passed between two of them: nobody knows whether it was written.
    if (![404, 412, 503].some((status) => isStatus(error, status))) throw error;
  }
  return someone;
}

async function write(course: Course, process: string): Promise<void> {
  const { writes = 8, pauseMs = DEFAULT_PAUSE_MS, parts = 1 } = course.options;
  const { scheduler } = course;
  const { random } = scheduler;
  const database = course.databaseOf(process);
  /** A container of some deployment: its setting may be an earlier one. */
  const start = () =>
    createUserStore({ ...database, limits: { ...database.limits, journalParts: 1 + scheduler.int(parts) } });
  let users = start();
  let favourite: number | undefined;
  for (let i = 0; i < writes; i++) {
    await database.runtime.sleep(random() < 0.4 ? 0 : pauseOf(course, pauseMs));
    if (random() < 0.2) users = start();
    favourite = await writeOnce(course, users, favourite);
  }
  course.busy--;
}

/** Reads in one container after another, of which each may die, and now and then asks for more before it has an answer. */
function startReader(course: Course, process: string, answers: Answers, left: { reads: number }): void {
  const { pauseMs = DEFAULT_PAUSE_MS } = course.options;
  const { random } = course.scheduler;
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process, () => startReader(course, `${process}'`, answers, left));
    const start = () => listingOf(course, database, process);
    let listing = start();
    const ask = () => course.tolerating(() => answers.ask(listing));
    for (; left.reads > 0; left.reads--) {
      await database.runtime.sleep(pauseOf(course, pauseMs));
      if (random() < 0.2) listing = start();
      const besides = random() < 0.3 ? 2 : 0;
      const later = () => database.runtime.sleep(pauseOf(course, pauseMs)).then(ask);
      await Promise.all([ask(), ...Array.from({ length: besides }, later)]);
    }
    course.busy--;
  });
}

/** Folds until nobody is busy. When the process dies, another one takes its place. */
export function startFold(course: Course, process: string): void {
  const { jumps } = course.options;
  const { random } = course.scheduler;
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process, () => course.isBusy() && startFold(course, `${process}'`));
    const fold = course.options.indexers
      ? createFoldWith(database, createIndexUpkeep(database), { restMs: 0 })
      : createFold(database, { restMs: 0 });
    while (course.isBusy()) {
      await course.tolerating(() => fold.run(5_000));
      await database.runtime.sleep(random() * (jumps && random() < 0.2 ? 5 * MINUTE_MS : 500));
    }
  });
}

/** The lists of a process. */
const listingOf = (course: Course, database: Database, process: string): UserListing =>
  course.options.indexers
    ? createSearchedListing(database, { engine: course.engineOf(process), nameOf: indexNames(STAGE) })
    : createUserListing(database);

const STAGE = 'race';

const followerOf = (course: Course, database: Database, process: string, onCrash?: () => void) =>
  createFollower(database, createUserIndex(course.engineOf(process, onCrash), STAGE), { changeOverMs: 0 });

/** Fills the index until nobody is busy. When the process dies, another one takes its place. */
function startIndexer(course: Course, process: string): void {
  const { random } = course.scheduler;
  const again = () => course.isBusy() && startIndexer(course, `${process}'`);
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process, again);
    const follower = followerOf(course, database, process, again);
    while (course.isBusy()) {
      await course.tolerating(() => follower.run(5_000));
      await database.runtime.sleep(random() * 500);
    }
  });
}

/** Compares all users with lists, which must not differ, and puts them in the place of the base every other time. */
function startVerify(course: Course, process: string, left: { verifies: number }): void {
  const { scheduler, report, options } = course;
  scheduler.start(process, async () => {
    const database = course.databaseOf(process, () => startVerify(course, `${process}'`, left));
    for (; left.verifies > 0 && course.isBusy(); left.verifies--) {
      await database.runtime.sleep(scheduler.random() * 20_000);
      const { lost } = report;
      await course.tolerating(async () => {
        const { differences, wrongChanges } = await verify(database, { always: scheduler.random() < 0.5 });
        if (report.lost === lost) differ('users whom lists have otherwise', differences, []);
        if (!options.losses) differ('changes that are wrong', wrongChanges, 0);
        report.verified++;
      });
    }
  });
}

/** The fate of all processes: many minutes pass at once, the journal gets more parts, and its head is lost, or all that is in its table. */
function startFate(course: Course): void {
  const { scheduler, options, store, report } = course;
  const { parts } = options;
  const often = (name: string, count = 0, pause = 0, happen: () => void) =>
    scheduler.start(name, async () => {
      for (let i = 0; i < count && course.isBusy(); i++) {
        await scheduler.turn(name, pause + scheduler.random() * 20_000);
        happen();
      }
    });
  if (parts)
    often('raise', 1, 0, () => void raiseParts({ ...course.databaseOf('raise'), dynamo: store.client() }, parts));
  often('time', options.jumps, 0, () => scheduler.jump((5 + scheduler.int(70)) * MINUTE_MS));
  often('index', options.indexLosses, 30_000, () => course.engine.indexes.clear());
  // A new head has a later epoch than the one before it, because clocks differ by less than the time between two losses.
  often('loss', options.losses, 3 * MINUTE_MS, () => {
    const isAll = scheduler.int(2) === 0;
    report[isAll ? 'lost' : 'beheaded']++;
    store.lose('directory', ({ sk }) => isAll || sk === '#head');
  });
}

function startFollowers(course: Course, followers: Followers, count: number): void {
  const { scheduler, store } = course;
  for (let i = 0; i < count; i++) {
    const database = course.databaseOf(`follower${i}`);
    const lasts = async () => {
      await database.runtime.sleep(60_000);
      await foldAll({ ...database, dynamo: store.client() });
    };
    scheduler.start(`follower${i}`, () => followers.follow(database, i === 0, course.isBusy, lasts));
  }
}

/** Checks that the index has all users, and nobody else, after all is folded. */
async function checkIndexAtRest(course: Course, database: Database, query: ModelQuery): Promise<void> {
  const { engine } = course;
  const of = engine.of(async (_, execute) => execute());
  const fold = createFoldWith(database, createIndexUpkeep(database), { restMs: 0 });
  const follower = createFollower(database, createUserIndex(of, STAGE), { changeOverMs: 0 });
  for (let i = 0; i < 8; i++) {
    differ('what is folded', (await fold.run(600_000)).left >= 0, true);
    await database.runtime.sleep(20_000);
    await follower.run(60_000);
  }
  const head = await readHead(database);
  differ('batches that the index lacks', [head?.batch, head?.base?.indexed], [[], head?.epoch]);
  const shown = [...(engine.indexes.get(indexNames(STAGE)(head?.base?.name ?? ''))?.shown.keys() ?? [])];
  differ(
    'users in the index',
    shown.map(Number).sort((a, b) => a - b),
    course
      .truth()
      .map(({ id }) => id)
      .sort((a, b) => a - b),
  );
  const listing = createSearchedListing(database, { engine: of, nameOf: indexNames(STAGE) });
  differ('at rest', (await askPage(listing, query)).page, modelPage(course.truth(), query));
}

/** Checks that everything is exact after all is folded. */
async function checkAtRest(course: Course, followers: Followers, clients: Clients): Promise<void> {
  const { store, committed, options } = course;
  const database = { ...course.databaseOf('last'), dynamo: store.client() };
  await database.runtime.sleep(30_000);
  const query: ModelQuery = { sort: [], page: 0, size: 100 };
  if (options.indexers) return checkIndexAtRest(course, database, query);
  differ('entries that are left', await foldAll(database), 0);
  differ('at rest', (await askPage(createUserListing(database), query)).page, modelPage(course.truth(), query));
  const { differences, wrongChanges } = await verify(database);
  differ('users whom lists have otherwise', differences, []);
  if (options.followers) followers.check(committed.written);
  if (!options.losses) differ('changes that are wrong', wrongChanges, 0);
  // Nobody has met a base that does not hold.
  if (!options.losses && !options.verifies) differ('lines', course.report.lines, 1);
  if (!options.losses) differ('repairs', (await readHead(database))?.repairAsked, 0);
  if (options.clients) clients.check(course.truth());
}

/**
 * Writers, readers and folds over one store, one step at a time in a random order. Processes freeze and die, attempts of writes
 * arrive twice or late, indexes are late, and queries read item by item.
 *
 * @throws when a list, a total or a tag is wrong at any moment
 */
export async function race(options: RaceOptions): Promise<RaceReport> {
  const { writers = 2, readers = 2, reads = 8, folds = 2, verifies = 0 } = options;
  const { clients: asking = 0, operations = 0 } = options;
  const course = new Course(options);
  const { scheduler } = course;
  const [answers, followers, clients] = [new Answers(course), new Followers(scheduler), new Clients(course)];
  scheduler.start('first', async () => {
    const { limits, ...others } = course.databaseOf('first');
    const database = { ...others, limits: { ...limits, journalParts: 1 }, dynamo: course.store.client() };
    const store = createUserStore(database);
    for (let i = 0; i < (options.users ?? 0); i++) await store.create(fieldsBy(scheduler));
    // Otherwise lists are 503 until a fold of the course has run.
    if (options.indexers) await createIndexUpkeep(database).begin();
    else if (!options.losses) await foldAll(database);
  });
  await scheduler.run();
  course.busy = writers + readers + asking;
  for (let i = 0; i < writers; i++) scheduler.start(`writer${i}`, () => write(course, `writer${i}`));
  for (let i = 0; i < readers; i++) startReader(course, `reader${i}`, answers, { reads });
  for (let i = 0; i < folds; i++) startFold(course, `fold${i}`);
  if (verifies > 0) for (let i = 0; i < 2; i++) startVerify(course, `verify${i}`, { verifies });
  for (let i = 0; i < asking; i++) scheduler.start(`client${i}`, () => clients.work(`client${i}`, operations));
  for (let i = 0; i < (options.indexers ?? 0); i++) startIndexer(course, `indexer${i}`);
  startFollowers(course, followers, options.followers ?? 0);
  startFate(course);
  await scheduler.run();
  scheduler.start('last', () => checkAtRest(course, followers, clients));
  await scheduler.run();
  return course.report;
}
