import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEdits, type Edit } from '../../lib/edits/edits.ts';
import type { EditReport } from '../../lib/edits/log.ts';
import { createUndo } from '../../lib/edits/undo.ts';
import { ServiceError, withDeadline, withoutDeadline } from '../../lib/ground/index.ts';
import { withLists } from '../../lib/http/request/edit.ts';
import { toEntry } from '../../lib/replica/internals.ts';
import type { Database } from '../../lib/users/database.ts';
import { restoreChange, type WrittenChange } from '../../lib/users/entry.ts';
import { creationTime } from '../../lib/users/ids.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import { createUserStore, type UserStore } from '../../lib/users/store.ts';
import { pickFields, type User, type UserFields } from '../../lib/users/user.ts';
import { Course, isStatus } from '../support/fake/course.ts';
import { pick } from '../support/fake/drawn.ts';
import { startFold } from '../support/fake/race.ts';
import { foldAll } from '../support/fake/steps.ts';
import { logOfEachTest } from '../support/logs.ts';
import { HISTORY_DAYS as historyDays } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

// Calls of edits tell of users who fail.
logOfEachTest();

/** The time of a call, as Lambda gives it. */
const CALL_MS = 27_000;

const toldOf = (error: unknown) => {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  return { status: error.status, message: error.message, code: error.code };
};

/** All writes, in the order of the commits. */
function watch(course: Course): WrittenChange[] {
  const changes: WrittenChange[] = [];
  const seen = new Set<unknown>();
  const look = course.store.onChange;
  course.store.onChange = () => {
    look();
    for (const item of course.store.itemsOf('directory')) {
      if (!String(item.pk).startsWith('journal') || item.sk === '#head' || seen.has(item.sk)) continue;
      seen.add(item.sk);
      const entry = toEntry(item, creationTime);
      changes.push(restoreChange(entry, { ...entry }) as WrittenChange);
    }
  };
  return changes;
}

/** Calls until nothing is left, in one container after another, of which each may die. Undefined if too many match. */
const callUntilDone = (
  course: Course,
  name: string,
  call: (database: Database) => Promise<EditReport>,
): Promise<EditReport | undefined> =>
  new Promise((resolve) => {
    let containers = 0;
    const start = () => {
      const process = `${name}.${containers++}`;
      course.scheduler.start(process, async () => {
        const database = course.databaseOf(process, start);
        for (;;) {
          await database.runtime.sleep(course.scheduler.random() * 300);
          try {
            // A container that died has left the deadline of its call.
            const report = await withoutDeadline(() =>
              withDeadline(database.runtime.now() + CALL_MS, () => call(database)),
            );
            if (report.left === 0) return resolve(report);
          } catch (error) {
            if (error instanceof ServiceError && error.code === 'edit-too-large') return resolve(undefined);
            if (!isStatus(error, 503) && !(error instanceof ServiceError && error.code === 'edit-busy')) throw error;
          }
        }
      });
    };
    start();
  });

const fieldsOf = (user: User | undefined) => user && pickFields(user);

/** A random write of another caller: of a field, of what edits ask for, a deletion, and a return. */
async function writeOnce(course: Course, users: UserStore) {
  const { scheduler, committed } = course;
  const draw = <Value>(...values: Value[]) => pick(scheduler, values);
  const present = course.truth();
  const id = pick(scheduler, present)?.id ?? 0;
  const gone = committed.written.map((write) => write.id).filter((each) => !present.some((user) => user.id === each));
  const chance = scheduler.random();
  if (chance < 0.15) await users.create({ name: 'New', status: draw('on', 'off'), country: draw('DE', 'FR') });
  else if (chance < 0.25) await users.delete(id);
  else if (chance < 0.4 && gone.length > 0) await users.createWithId(draw(...gone), { name: 'Back', status: 'on' });
  else if (chance < 0.7) await users.update(id, (user) => ({ ...user, lastName: `l${scheduler.int(1_000)}` }));
  else {
    const attributes = draw(undefined, { tags: ['x'] }, { tags: ['y', 'z', 'a'] }, { tags: ['a', 'b'] });
    const fields = { status: draw('on', 'off'), age: draw(1, 2), ...(attributes && { attributes }) };
    await users.update(id, (user) => ({ ...user, ...fields }));
  }
}

function startWriter(course: Course, process: string, writes: number): void {
  course.scheduler.start(process, async () => {
    const database = course.databaseOf(process);
    const users = createUserStore(database);
    for (let i = 0; i < writes; i++) {
      await database.runtime.sleep(course.scheduler.random() * 100);
      await writeOnce(course, users).catch((error) => {
        if (![404, 409, 412, 503].some((status) => isStatus(error, status))) throw error;
      });
    }
    course.busy--;
  });
}

const LISTS = { remove: new Map([['tags', ['x', 'y']]]), add: new Map([['tags', ['z', 'w']]]) };

/** Two edits, whose questions meet the same users. */
const EDITS = {
  on: {
    filters: { status: 'on' },
    apply: ({ lastName: _, ...user }: User) =>
      pickFields({ ...user, status: 'off', age: 7, attributes: withLists(user.attributes ?? {}, LISTS) }),
    matches: ({ status }: User) => status === 'on',
    after: ({ lastName: _, ...fields }: UserFields) => {
      const tags = [fields.attributes?.tags ?? []].flat().filter((tag) => tag !== 'x' && tag !== 'y');
      return { ...fields, status: 'off', age: 7, attributes: { tags: [...new Set([...tags, 'z', 'w'])] } };
    },
  },
  german: {
    filters: { country: 'DE' },
    apply: undefined,
    matches: ({ country }: User) => country === 'DE',
    after: () => undefined,
  },
};

/** @returns how often something happened */
async function courseOf(seed: number) {
  const course = new Course({
    ...{ seed, faultPercent: 8, historyDays, lagMs: 500 },
    limits: { editStep: 3, editMs: 150, batchEntries: 6, mergeLeast: 5, mergeShare: 0.2 },
  });
  const { scheduler } = course;
  const changes = watch(course);
  scheduler.start('first', async () => {
    const database = { ...course.databaseOf('first'), dynamo: course.store.client() };
    const users = createUserStore(database);
    for (let i = 0; i < 20; i++)
      await users.create({
        name: `n${i}`,
        externalId: `x${i}`,
        lastName: 'l',
        status: i % 3 ? 'on' : 'off',
        country: i % 2 ? 'FR' : 'DE',
      });
    await foldAll(database);
  });
  await scheduler.run();
  const reports: Record<string, EditReport | undefined> = {};
  let phase = 0;
  /** Everything at once until all of it is done. */
  const together = async (calls: Record<string, (database: Database) => Promise<EditReport>>) => {
    course.busy = 2 + Object.keys(calls).length;
    phase++;
    for (let i = 0; i < 2; i++) startWriter(course, `writer${i} ${phase}`, 20);
    startFold(course, `fold ${phase}`);
    for (const [name, call] of Object.entries(calls))
      void callUntilDone(course, `${name} ${phase}`, call).then((report) => {
        reports[name] = report;
        course.busy--;
      });
    await scheduler.run();
  };
  const atMost = scheduler.int(2) ? 1_000 : course.truth().filter(({ status }) => status === 'on').length;
  const edit = (name: keyof typeof EDITS) => (database: Database) => {
    const options = { users: createUserStore(database), listing: createUserListing(database) };
    const asked: Edit = { ...EDITS[name], hash: name, atMost: name === 'on' ? atMost : 1_000, key: name };
    return createEdits(database, options).run(asked, toldOf);
  };
  const undo = (name: string) => (database: Database) =>
    createUndo(database, createUserStore(database))(name, {}, toldOf);
  await together({ on: edit('on'), german: edit('german') });
  const names = { on: reports.on?.edit ?? '', german: reports.german?.edit ?? '' };
  const known = Object.entries(names).filter(([, name]) => name !== '') as [keyof typeof EDITS, string][];
  // Some of the deleted cannot be brought back until another user is gone.
  const others = createUserStore({ ...course.databaseOf('others'), dynamo: course.store.client() });
  for (const { before, after } of changes) {
    if (!before?.externalId || after || scheduler.int(4) === 0) continue;
    await others.create({ name: 'Taker', externalId: before.externalId }).catch((error) => {
      if (!isStatus(error, 409)) throw error;
    });
  }
  await together(Object.fromEntries(known.map(([, name]) => [`${name}-undo`, undo(name)])));
  for (const { id, name } of course.truth()) if (name === 'Taker') await others.delete(id);
  const before = { length: changes.length, reports: { ...reports } };
  await together(Object.fromEntries(known.map(([, name]) => [`${name}-undo`, undo(name)])));
  const undoneAgain = changes.slice(before.length).filter(({ edit }) => edit?.endsWith('-undo'));
  const failed = Object.values(before.reports).flatMap((report) => report?.failed ?? []);
  const isTaken = (id: number) => failed.some((failure) => failure.id === id && failure.status === 409);
  return { course, changes, reports, known, atMost, undoneAgain, isTaken };
}

const ofUsers = (changes: readonly WrittenChange[]) => Map.groupBy(changes, ({ id }) => id);

test('edits and undos beside writers change whoever matches once, lose no field, and stop, whatever process dies', async () => {
  const sums = { changed: 0, undone: 0, named: 0, again: 0, crashes: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { course, changes, reports, known, atMost, undoneAgain, isTaken } = await courseOf(seed);
      // Nobody's write is lost: each begins with what the one before it made.
      for (const own of ofUsers(changes).values())
        for (const [i, { before }] of own.entries()) expect(fieldsOf(before)).toEqual(fieldsOf(own[i - 1]?.after));
      expect(changes.filter(({ edit }) => edit === reports.on?.edit && edit !== undefined).length).toBeLessThanOrEqual(
        atMost,
      );
      for (const [kind, name] of known) {
        const { matches, after } = EDITS[kind];
        const made = changes.filter(({ edit }) => edit === name);
        expect([...ofUsers(made).values()].filter(({ length }) => length > 1)).toEqual([]);
        expect(reports[kind]).toMatchObject({ changed: made.length, failed: [] });
        for (const change of made) {
          expect(change.before && matches(change.before)).toBe(true);
          expect(fieldsOf(change.after)).toEqual(change.before && after(pickFields(change.before)));
        }
        const undo = reports[`${name}-undo`];
        const undone = changes.filter(({ edit }) => edit === `${name}-undo`);
        expect(undo?.changed).toBe(undone.length);
        for (const change of made) {
          const own = ofUsers(changes).get(change.id) ?? [];
          const next = own[own.indexOf(change) + 1];
          if (next?.edit === `${name}-undo`) expect(fieldsOf(next.after)).toEqual(fieldsOf(change.before));
          else expect(undo?.failed.map(({ id }) => id)).toContain(change.id);
        }
        expect((undo?.failed.length ?? 0) + undone.length).toBe(made.length);
        sums.changed += made.length;
        sums.undone += undone.length;
        sums.named += undo?.failed.length ?? 0;
      }
      expect(undoneAgain.filter(({ id }) => !isTaken(id))).toEqual([]);
      sums.again += undoneAgain.length;
      sums.crashes += course.report.crashes;
    }),
    { numRuns: 8 * TIMES, endOnFailure: true },
  );
  for (const sum of Object.values(sums)) expect(sum).toBeGreaterThan(0);
});
