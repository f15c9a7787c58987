/**
 * Gives the users of an edit back what they had before it. An undo is an edit, too, with a name that follows from the one that it undoes: so it
 * happens once, goes on after whatever ended it, and can be undone. Sent again after its end, it tries once more what failed: the value of a user
 * who was deleted may be free again.
 */

import { requireKept } from '../changes/items.ts';
import { ServiceError } from '../ground/index.ts';
import type { Origin } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import { userError } from '../users/errors.ts';
import type { UserStore } from '../users/store.ts';
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

/** The origin need not be the caller whose edit it is. */
export type Undo = (
  name: string,
  origin: Origin,
  toldOf: Work['toldOf'],
  withinMs?: Work['withinMs'],
) => Promise<EditReport>;

export const createUndo =
  (database: Database, users: UserStore): Undo =>
  async (name, origin, toldOf, withinMs) => {
    requireKept(database);
    const { historyDays: days = 0, runtime } = database;
    const edit = await readLog(database, name);
    if (!edit) throw editNotFound(name);
    const own = name + UNDO;
    const begun = { name: own, by: origin.by, hash: '', at: runtime.now(), steps: [] };
    const log = (await readLog(database, own)) ?? begun;
    if (isOver(log)) return reportOf(log);
    refuseBusy(database, log);
    await end(database, edit, days);
    const waiting = waitingIn(log, edit);
    const undoing = { database, users, edit, origin: { ...origin, edit: own } };
    const one = (id: number) => undoOne(undoing, id);
    return work(database, log, { waiting, beyond: 0, most: Number.POSITIVE_INFINITY, one, toldOf, days, withinMs });
  };
