/**
 * Changes or deletes all users who match:
 *
 *   the replica names who matches, by ascending ids ─▶ a step of them is stored (log.ts) ─▶ each is read, and changed by a write of its own if it
 *   still matches ─▶ the next step has what has become of them
 *
 * Invariants, each held by tests/property/edits.test.ts:
 *
 * - nobody is changed who does not match at that write, and no other writer's field is lost
 * - an edit changes a user once, and no more users than it may, whatever process ends wherever
 */
import { createHash } from 'node:crypto';
import { meetsAll } from '../columns/index.ts';
import { ServiceError } from '../ground/index.ts';
import type { Origin } from '../replica/index.ts';
import { questionOf } from '../users/asked.ts';
import { COLUMNS } from '../users/columns.ts';
import type { Database } from '../users/database.ts';
import { userError } from '../users/errors.ts';
import type { Filters } from '../users/filters.ts';
import type { UserListing } from '../users/questions.ts';
import { rowOf } from '../users/rows.ts';
import type { UserStore } from '../users/store.ts';
import { hasFields, pickFields, type User } from '../users/user.ts';
import { type EditReport, editNotFound, hasChanged, type Log, lastOf, readLog, reportOf } from './log.ts';
import { type Apply, type Preview, previewOf } from './preview.ts';
import { type Outcome, refuseBusy, type Work, work } from './work.ts';

export interface Edit extends Omit<Origin, 'edit'> {
  filters: Filters;
  /** Undefined: they are deleted. */
  apply: Apply | undefined;
  /** Of the filters and the body as they were sent. */
  hash: string;
  atMost: number;
  /** The edit to go on with. */
  name?: string | undefined;
  /** An `Idempotency-Key`: the same one is the same edit. */
  key?: string | undefined;
  withinMs?: Work['withinMs'];
}

/** The parts with which an edit reads and writes users. */
export interface EditOptions {
  users: UserStore;
  listing: UserListing;
}

interface Service extends EditOptions {
  database: Database;
}

/** More users than a call comes to. */
const CANDIDATES = 10_000;

/** A key is the caller's own, and so is its edit. */
const nameOf = (key: string): string => createHash('sha256').update(`edit\0${key}`).digest('hex').slice(0, 16);

/** @throws {ServiceError} when it is an edit of another caller, with other filters or another body, or does not go on */
function refuseOthers(log: Log, edit: Edit): void {
  const isSame = log.by === edit.by && log.hash === edit.hash;
  if (isSame && lastOf(log).end === 'undone')
    throw userError('edit-undone', 'The edit was undone, so it cannot be continued');
  if (isSame) return;
  if (edit.name === undefined) throw userError('idempotency-key-reused', 'Idempotency-Key was used for another edit');
  throw userError('edit-differs', 'Only the same caller can continue an edit, with the same filters and the same body');
}

/** @param total how many users match whom the edit has not come to @throws {ServiceError} 409 if none of them may be changed */
function refuseTooMany(log: Log, { atMost }: Edit, total: number): void {
  const { changed, ids } = lastOf(log);
  if (log.steps.length === 0 && total > atMost)
    throw userError('edit-too-large', `${total} users match, more than atMost`);
  if (changed >= atMost && ids.length === 0 && total > 0)
    throw userError('edit-too-large', `The edit has changed ${changed} users, and ${total} more match`);
}

/** Somebody, who has no more than everybody has. */
const ANYBODY: User = { id: 1, version: 1, name: 'n' };

/** @throws {ServiceError} 400 for a patch that no user could have, or not several */
function refuseUnusable({ uniqueEmails }: Database, apply: Apply | undefined): void {
  if (!apply) return;
  const { externalId, email } = apply(ANYBODY);
  if (externalId !== undefined || apply({ ...ANYBODY, externalId: 'x' }).externalId === undefined)
    throw userError('validation', 'Users cannot share an externalId, so an edit cannot change it');
  if (uniqueEmails && email !== undefined)
    throw userError('validation', 'Users cannot share an email here, so an edit can only remove it');
}

/** The log of an edit: a new one, or that of the edit which goes on. */
async function begin(database: Database, edit: Edit): Promise<Log> {
  const { runtime } = database;
  const { by, hash, key } = edit;
  const name = edit.name ?? nameOf(key ?? String(runtime.random()));
  const log = edit.name === undefined && key === undefined ? undefined : await readLog(database, name);
  if (!log && edit.name !== undefined) throw editNotFound(name);
  if (log) refuseOthers(log, edit);
  return log ?? { name, by, hash, at: runtime.now(), steps: [] };
}

/** Changes a user if it matches, and if this edit has not done so before. */
async function changeOne(
  { database, users }: Service,
  log: Log,
  { filters, apply, byName }: Edit,
  { id, isAgain }: { id: number; isAgain: boolean },
): Promise<Outcome> {
  let outcome: Outcome = 'passed';
  const question = questionOf(filters);
  const wasChanged = async () => isAgain && (await hasChanged(database, log, id));
  try {
    await users.edit(id, { by: log.by, byName, edit: log.name }, async (current) => {
      outcome = (await wasChanged()) ? 'changed' : 'passed';
      if (outcome === 'changed' || !meetsAll(COLUMNS, rowOf(current), question)) return current;
      const fields = apply?.(current);
      outcome = fields && hasFields(current, pickFields(fields)) ? 'unchanged' : 'changed';
      return fields;
    });
    return outcome;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    return (await wasChanged()) ? 'changed' : 'passed';
  }
}

async function run(service: Service, edit: Edit, toldOf: Work['toldOf']): Promise<EditReport> {
  const { database, listing } = service;
  refuseUnusable(database, edit.apply);
  const log = await begin(database, edit);
  if (lastOf(log).end) return reportOf(log);
  refuseBusy(database, log);
  const after = Math.max(0, ...log.steps.map(({ ids }) => ids.at(-1) ?? 0));
  const { users: found, total } = await listing.matching({ filters: edit.filters, after, size: CANDIDATES });
  refuseTooMany(log, edit, total);
  const waiting = found.map(({ id }) => id);
  return work(database, log, {
    ...{ waiting, beyond: total - waiting.length, most: edit.atMost, toldOf, days: database.historyDays ?? 0 },
    withinMs: edit.withinMs,
    one: (id, isAgain) => changeOne(service, log, edit, { id, isAgain }),
  });
}

export const createEdits = (database: Database, { users, listing }: EditOptions) => ({
  /** One read of the journal. */
  async preview({ filters, apply }: Pick<Edit, 'filters' | 'apply'>): Promise<Preview> {
    refuseUnusable(database, apply);
    return previewOf(database, await listing.everyone(filters), apply);
  },

  /**
   * Works for at most twenty seconds. Besides the writes and a read of each user it costs a read of the journal, two write units for each hundred
   * users, and two more.
   */
  run: (edit: Edit, toldOf: Work['toldOf']): Promise<EditReport> => run({ database, users, listing }, edit, toldOf),
});
