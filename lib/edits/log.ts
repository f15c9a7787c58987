/**
 * The stored items of an edit: `edit:<name>`, and a number.
 *
 * - 0: whose it is, what for, and how many users it may change
 * - each later one, a step: the users who are next, and what has become of those before. It is written before any of them is changed. Behind the
 *   end of an undo those who failed may be next once more
 *
 * Steps are only added, and one of two that are added at once is refused. So a process may end anywhere: the last step names all users whom it may
 * have changed without saying so, and the history of a user says whether it was. It is kept as long as the history is.
 */

import type { EditResult } from '../../schemas/edits.ts';
import { readVersions } from '../changes/history.ts';
import { expiryOf, isExpired } from '../changes/items.ts';
import { type Item, query, queryFirst, transact } from '../dynamodb/index.ts';
import { note, packIntegers, type ServiceError, unpackIntegers } from '../ground/index.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import { userError } from '../users/errors.ts';
import { noteOperations } from '../users/store.ts';

export type Failure = EditResult['failed'][number];

export interface Step {
  /** The users who are next, by ascending ids. Some of them may be those of earlier steps whom nobody came to. */
  ids: readonly number[];
  /** Until when the call that works on them may do so, in Unix milliseconds. 0: it has ended. */
  until: number;
  /** Of all users of the steps before, without those who are next again. */
  changed: number;
  unchanged: number;
  /** Those of the step before. */
  failed: readonly Failure[];
  /** How many users are next, or come after them. */
  left: number;
  /** Whether it, or any step before it, has some who failed. */
  hasFailed?: boolean | undefined;
  /** No step comes after it, but when an undo tries once more what failed. */
  end?: 'done' | 'undone' | undefined;
}

export interface Log {
  name: string;
  /** The subject of the token with which it began. */
  by?: string | undefined;
  /** Of what is asked: the filters and the body. */
  hash: string;
  /** When it began, in Unix milliseconds. */
  at: number;
  steps: readonly Step[];
}

export const lastOf = ({ steps }: Log): Step =>
  steps.at(-1) ?? { ids: [], until: 0, changed: 0, unchanged: 0, failed: [], left: 0 };

export const editNotFound = (name: string): ServiceError =>
  userError('edit-not-found', `There is no edit ${name}, or it is no longer kept`);

const STEP_DIGITS = 7;

const keyOf = (name: string, step: number) => ({ pk: `edit:${name}`, sk: String(step).padStart(STEP_DIGITS, '0') });

/** Their differences, in about five bytes each. */
const packIds = (ids: readonly number[]): Uint8Array => packIntegers(ids.map((id, i) => id - (ids[i - 1] ?? 0)));

function unpackIds(packed: Uint8Array): number[] {
  let id = 0;
  return unpackIntegers(packed).map((difference) => {
    id += difference;
    return id;
  });
}

const toStep = ({ ids, until, changed, unchanged, failed, left, hasFailed, end }: Item): Step => ({
  ids: unpackIds(ids as Uint8Array),
  until: Number(until),
  changed: Number(changed),
  unchanged: Number(unchanged),
  failed: (failed ?? []) as Failure[],
  left: Number(left),
  ...(hasFailed === true && { hasFailed }),
  end: end as Step['end'],
});

const toLog = (name: string, { by, hash, at }: Item, steps: readonly Item[]): Log => ({
  name,
  ...(by !== undefined && { by: String(by) }),
  hash: String(hash),
  at: Number(at),
  steps: steps.map(toStep),
});

/** D23. An edit with all of its steps. Strongly consistent. A read unit for each 4 KB: for some 500 users. Undefined if it is not kept any more. */
export async function readLog(database: Database, name: string): Promise<Log | undefined> {
  const { tables, runtime } = database;
  const found = query(database, { table: tables.directory, partition: ['pk', keyOf(name, 0).pk] });
  const [head, ...steps] = await Array.fromAsync(found);
  if (!head || isExpired(runtime.now(), head)) return undefined;
  return toLog(name, head, steps);
}

/**
 * D25. An edit with its last step, which has the numbers of all: two read units. With all of its steps, as above, if some users failed. Strongly
 * consistent. Undefined if it is not kept any more.
 */
export async function readState(database: Database, name: string): Promise<Log | undefined> {
  const { tables, runtime } = database;
  const range = { table: tables.directory, partition: ['pk', keyOf(name, 0).pk] as const };
  const [head, last] = await Promise.all([
    queryFirst(database, range),
    queryFirst(database, range, { isDescending: true }),
  ]);
  if (!head || !last || isExpired(runtime.now(), head)) return undefined;
  const log = toLog(name, head, [last]);
  return lastOf(log).hasFailed ? readLog(database, name) : log;
}

/**
 * Adds a step; to a log without steps its head as well. Two write units for each, some more with many failures.
 *
 * @param days for how long changes are kept
 * @returns the log with it; undefined if another process was faster
 */
export async function withStep(database: Database, log: Log, step: Step, days: number): Promise<Log | undefined> {
  const { name, by, hash, at, steps } = log;
  const ttl = expiryOf(at, Math.max(1, days));
  const { ids, until, changed, unchanged, failed, left, end } = step;
  const hasFailed = [...steps, step].some((each) => each.failed.length > 0) || undefined;
  const items = [
    ...(steps.length === 0 ? [{ ...keyOf(name, 0), by, hash, at, ttl }] : []),
    {
      ...keyOf(name, steps.length + 1),
      ids: packIds(ids),
      until,
      changed,
      unchanged,
      failed,
      left,
      hasFailed,
      end,
      ttl,
    },
  ];
  const puts = items.map((Item) => ({
    Put: { TableName: database.tables.directory, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return (await transact(database, puts)) ? { ...log, steps: [...steps, step] } : undefined;
}

export type EditReport = EditResult;

/** The users who were not changed when they were last tried: an undo that is sent again tries them once more. */
export function failedOf(steps: readonly Step[]): Failure[] {
  const all = new Map<number, Failure>();
  for (const { ids, failed } of steps) {
    for (const failure of failed) all.set(failure.id, failure);
    for (const id of ids) all.delete(id);
  }
  return [...all.values()];
}

export function reportOf(log: Log, left = 0): EditReport {
  const { changed, unchanged } = lastOf(log);
  return { edit: log.name, changed, unchanged, failed: failedOf(log.steps), left };
}

/** The report of an edit as it is stored, with when and by whom it was begun. An edit that has ended leaves nobody to a next call. */
export interface EditState extends EditReport {
  /** In Unix milliseconds. */
  at: number;
  by?: string | undefined;
}

export function stateOf(log: Log): EditState {
  const { left, end } = lastOf(log);
  return { ...reportOf(log, end ? 0 : left), at: log.at, by: log.by };
}

/**
 * For the log line of a call.
 *
 * @param failed by this call
 */
export function noteWork(before: Step, { changed, unchanged }: Step, failed: readonly Failure[]): void {
  const fine = changed - before.changed + unchanged - before.unchanged;
  note({ changed: changed - before.changed });
  noteOperations([...new Array<number>(fine).fill(200), ...failed.map(({ status }) => status)]);
}

/** By how much the clocks of two functions may differ. */
const SKEW_MS = 60_000;

/** The changes of a user since an edit began, the newest first, as far as they are kept. A read unit for the journal, one for the history. */
export async function changesSince(database: Database, { at }: Log, id: number) {
  const changes: (WrittenChange | { erased: number })[] = [];
  for await (const { change } of readVersions(database, id)) {
    if (change === 'expired' || ('at' in change ? change.at : change.erased) < at - SKEW_MS) break;
    changes.push(change);
  }
  return changes;
}

/** Whether an edit has changed a user: another writer may have changed it back since. */
export const hasChanged = async (database: Database, log: Log, id: number): Promise<boolean> =>
  (await changesSince(database, log, id)).some((change) => 'edit' in change && change.edit === log.name);
