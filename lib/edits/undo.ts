/**
 * Gives the users of an edit back what they had before it. An undo is an edit, too, with a name that follows from the one that it undoes: so it
 * happens once, goes on after whatever ended it, and can be undone. Sent again after its end, it tries once more what failed: the value of a user
 * who was deleted may be free again.
 */

import { MAX_EXAMPLES } from '../../schemas/edits.ts';
import { requireKept } from '../changes/items.ts';
import { inParallel, ServiceError } from '../ground/index.ts';
import type { Origin } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import { userError } from '../users/errors.ts';
import { TRANSACTIONS_AT_ONCE, type UserStore } from '../users/store.ts';
import { pickFields } from '../users/user.ts';

import {
  changesSince,
  type EditReport,
  editNotFound,
  failedOf,
  type Log,
  lastOf,
  readLog,
  reportOf,
  type Step,
  withStep,
} from './log.ts';
import { type Example, type Preview, priced, unitsOfChange } from './preview.ts';
import { busy, type Outcome, refuseBusy, type Work, work } from './work.ts';

/** With the name of the undo. */
type UndoOrigin = Origin & { edit: string };

/** One undo at work. */
interface Undoing {
  database: Database;
  users: UserStore;
  /** The edit that is undone. */
  edit: Log;
  origin: UndoOrigin;
}

const changedSince = () => userError('precondition-failed', 'The user has changed since the edit');
const erased = () => userError('past-gone', 'The values of the user before the edit were erased');

/** The end of an undo's name. */
const UNDO = '-undo';

const idsOf = (steps: readonly Step[]): Set<number> => new Set(steps.flatMap(({ ids }) => ids));

/** The change that an edit has made of a user, if it is the last one; `done` if this undo is. @throws {ServiceError} 412 after another one, 410 if it was erased */
async function lastOfEdit(
  { database, edit, origin }: Undoing,
  id: number,
): Promise<WrittenChange | 'done' | undefined> {
  const since = await changesSince(database, edit, id);
  const last = since.findIndex((change) => 'edit' in change && [edit.name, origin.edit].includes(change.edit ?? ''));
  const change = since[last];
  if (!change && since.some((each) => 'erased' in each)) throw erased();
  if (!change || 'erased' in change) return undefined;
  if (change.edit === origin.edit) return 'done';
  if (last > 0) throw changedSince();
  return change;
}

/** Each is refused if somebody has changed the user meanwhile. */
async function giveBack(undoing: Undoing, { id, version, before, after }: WrittenChange): Promise<void> {
  const { users, origin } = undoing;
  if (after) {
    await users.edit(id, origin, async (current) => {
      if (current.version !== version) throw changedSince();
      return before && pickFields(before);
    });
    return;
  }
  const check = async () => void (await lastOfEdit(undoing, id));
  if (before) await users.createWithId(id, pickFields(before), origin, check);
}

async function undoOne(undoing: Undoing, id: number): Promise<Outcome> {
  const last = await lastOfEdit(undoing, id);
  if (typeof last !== 'object') return last ? 'changed' : 'passed';
  try {
    await giveBack(undoing, last);
  } catch (error) {
    const isMoved = error instanceof ServiceError && [404, 412].includes(error.status);
    // A write of this undo, of a call that did not wait for it, may have arrived.
    if (!isMoved || (await lastOfEdit(undoing, id)) !== 'done') throw error;
  }
  return 'changed';
}

const failedIn = (steps: readonly Step[]): number[] => failedOf(steps).map(({ id }) => id);

/** The users whom an edit may have changed. */
function changedBy({ steps }: Log): number[] {
  const failed = new Set(failedIn(steps));
  return [...idsOf(steps)].filter((id) => !failed.has(id));
}

/** The users whom an undo has not tried yet, by ascending ids: of all whom the edit may have changed, or, behind an end of the undo, of all who failed before. */
function waitingIn({ steps }: Log, edit: Log): number[] {
  const ended = steps.findLastIndex(({ end }) => end === 'done') + 1;
  const all = ended > 0 ? failedIn(steps.slice(0, ended)) : changedBy(edit);
  const tried = idsOf(steps.slice(ended));
  return all.filter((id) => !tried.has(id)).sort((a, b) => a - b);
}

/** Whether an edit does not go on. An undo does when it is sent again, if users have failed. */
function isOver({ name, steps }: Log): boolean {
  const last = steps.at(-1)?.end;
  if (last !== 'done') return last === 'undone';
  return !name.endsWith(UNDO) || failedOf(steps).length === 0;
}

/** Ends an edit, so that it does not go on. */
async function end(database: Database, edit: Log, days: number): Promise<void> {
  if (isOver(edit)) return;
  refuseBusy(database, edit);
  if (!(await withStep(database, edit, { ...lastOf(edit), until: 0, failed: [], end: 'undone' }, days))) throw busy();
}

/**
 * How many users an undo has not tried yet, but those whom the edit has left as they were. Of an edit that ended amid a step it counts all of
 * that step.
 */
function leftIn(log: Log, edit: Log): number {
  const waiting = waitingIn(log, edit).length;
  if (log.steps.some(({ end }) => end === 'done')) return waiting;
  const { changed, ids } = lastOf(edit);
  return Math.min(waiting, Math.max(0, changed + ids.length - lastOf(log).changed - failedIn(log.steps).length));
}

interface UndoOptions {
  /** The most users who may be left to give back. */
  atMost?: number | undefined;
  withinMs?: Work['withinMs'];
}

/** An edit, and its undo as far as it has come. @throws {ServiceError} 404 */
async function readBoth(database: Database, name: string, by?: string): Promise<{ edit: Log; log: Log }> {
  requireKept(database);
  const edit = await readLog(database, name);
  if (!edit) throw editNotFound(name);
  const own = name + UNDO;
  const begun = { name: own, by, hash: '', at: database.runtime.now(), steps: [] };
  return { edit, log: (await readLog(database, own)) ?? begun };
}

/** The origin need not be the caller whose edit it is. */
export type Undo = (name: string, origin: Origin, toldOf: Work['toldOf'], options?: UndoOptions) => Promise<EditReport>;

export const createUndo =
  (database: Database, users: UserStore): Undo =>
  async (name, origin, toldOf, { atMost, withinMs } = {}) => {
    const { historyDays: days = 0 } = database;
    const { edit, log } = await readBoth(database, name, origin.by);
    if (isOver(log)) return reportOf(log);
    const left = leftIn(log, edit);
    if (atMost !== undefined && left > atMost)
      throw userError('edit-too-large', `${left} users are left to give back, more than atMost`);
    refuseBusy(database, log);
    await end(database, edit, days);
    const waiting = waitingIn(log, edit);
    const undoing = { database, users, edit, origin: { ...origin, edit: log.name } };
    const one = (id: number) => undoOne(undoing, id);
    return work(database, log, { waiting, beyond: 0, most: Number.POSITIVE_INFINITY, one, toldOf, days, withinMs });
  };

/** Users whose last change a preview reads, for its examples and the cost. */
const LOOKED_AT = 20;

/** The change that an undo would make of a user; undefined if it would fail, or has been made. */
async function wouldGiveBack(undoing: Undoing, id: number): Promise<Example | undefined> {
  try {
    const last = await lastOfEdit(undoing, id);
    return typeof last === 'object' ? { before: last.after, after: last.before } : undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    return undefined;
  }
}

/** The preview of an undo, as `previewOf` makes that of an edit. It reads some users' changes, and writes nothing. */
export const createUndoPreview =
  (database: Database, users: UserStore) =>
  async (name: string): Promise<Preview> => {
    const { edit, log } = await readBoth(database, name);
    const total = isOver(log) ? 0 : leftIn(log, edit);
    const undoing = { database, users, edit, origin: { edit: log.name } };
    const looked = total === 0 ? [] : waitingIn(log, edit).slice(0, LOOKED_AT);
    const found = await inParallel(looked, TRANSACTIONS_AT_ONCE, (id) => wouldGiveBack(undoing, id));
    const examples = found.filter((each) => each !== undefined);
    const units = examples.map((each) => unitsOfChange(each, database.uniqueEmails ?? false));
    const sumOf = (kind: 'read' | 'write') => units.reduce((sum, each) => sum + each[kind], 0);
    const part = total / Math.max(1, looked.length);
    return {
      ...{ total, examples: examples.slice(0, MAX_EXAMPLES) },
      ...priced({ read: sumOf('read') + looked.length, write: sumOf('write') }, part),
    };
  };
