/**
 * Gives the users of an edit back what they had before it. An undo is an edit, too, with a name that follows from the one that it undoes: so it
 * happens once, goes on after whatever ended it, and can be undone.
 */

import { requireKept } from '../changes/periods.ts';
import { ServiceError } from '../ground/index.ts';
import type { Origin } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import { userError } from '../users/errors.ts';
import type { UserStore } from '../users/store.ts';
import { pickFields } from '../users/user.ts';

import { changesSince, type EditReport, editNotFound, type Log, lastOf, readLog, reportOf, withStep } from './log.ts';
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
const erased = () => userError('past-gone', 'What the user was before the edit was erased');

const idsOf = ({ steps }: Log): Set<number> => new Set(steps.flatMap(({ ids }) => ids));

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

/** Ends an edit, so that it does not go on. */
async function end(database: Database, edit: Log, days: number): Promise<void> {
  if (lastOf(edit).end) return;
  refuseBusy(database, edit);
  if (!(await withStep(database, edit, { ...lastOf(edit), until: 0, failed: [], end: 'undone' }, days))) throw busy();
}

/** The origin need not be the caller whose edit it is. */
export type Undo = (name: string, origin: Origin, toldOf: Work['toldOf']) => Promise<EditReport>;

export const createUndo =
  (database: Database, users: UserStore): Undo =>
  async (name, origin, toldOf) => {
    requireKept(database);
    const { historyDays: days = 0, runtime } = database;
    const edit = await readLog(database, name);
    if (!edit) throw editNotFound(name);
    const own = `${name}-undo`;
    const begun = { name: own, by: origin.by, hash: '', at: runtime.now(), steps: [] };
    const log = (await readLog(database, own)) ?? begun;
    if (lastOf(log).end) return reportOf(log);
    refuseBusy(database, log);
    await end(database, edit, days);
    const others = new Set([...idsOf(log), ...edit.steps.flatMap(({ failed }) => failed.map(({ id }) => id))]);
    const waiting = [...idsOf(edit)].filter((id) => !others.has(id)).sort((a, b) => a - b);
    const undoing = { database, users, edit, origin: { ...origin, edit: own } };
    const one = (id: number) => undoOne(undoing, id);
    return work(database, log, { waiting, beyond: 0, most: Number.POSITIVE_INFINITY, one, toldOf, days });
  };
