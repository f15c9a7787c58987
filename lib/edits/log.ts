/**
 * What is stored of an edit: `edit:<name>`, and a number.
 *
 * - 0: whose it is, what for, and how many users it may change
 * - each later one, a step: the users who are next, and what has become of those before. It is written before any of them is changed
 *
 * Steps are only added, and one of two that are added at once is refused. So a process may end anywhere: the last step names all users whom it may
 * have changed without saying so, and the history of a user says whether it was. It is kept as long as the history is.
 */

import type { EditResult } from '../../schemas/edits.ts';
import { expiryOf, isExpired } from '../changes/items.ts';
import { query, transact } from '../dynamodb/index.ts';
import { ServiceError } from '../ground/index.ts';
import { packIntegers, unpackIntegers } from '../replica/index.ts';
import type { Database } from '../users/database.ts';

export type Failure = EditResult['failed'][number];

export interface Step {
  /** Who is next, by ascending ids. Some of them may be those of earlier steps whom nobody came to. */
  ids: readonly number[];
  /** Until when the call that works on them may do so, in Unix milliseconds. 0: it has ended. */
  until: number;
  /** Of all users of the steps before, without those who are next again. */
  changed: number;
  unchanged: number;
  /** Those of the step before. */
  failed: readonly Failure[];
  /** No step comes after it. */
  end?: 'done' | 'undone' | undefined;
}

export interface Log {
  name: string;
  /** Whose it is: the subject of the token. */
  by?: string | undefined;
  /** Of what is asked: the filters and the body. */
  hash: string;
  /** When it began, in Unix milliseconds. */
  at: number;
  steps: readonly Step[];
}

export const lastOf = ({ steps }: Log): Step =>
  steps.at(-1) ?? { ids: [], until: 0, changed: 0, unchanged: 0, failed: [] };

export const editNotFound = (name: string): ServiceError =>
  new ServiceError('edit-not-found', `There is no edit ${name}, or it is no longer kept`);

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

const toStep = ({ ids, until, changed, unchanged, failed, end }: Record<string, unknown>): Step => ({
  ids: unpackIds(ids as Uint8Array),
  until: Number(until),
  changed: Number(changed),
  unchanged: Number(unchanged),
  failed: (failed ?? []) as Failure[],
  end: end as Step['end'],
});

/** D23. An edit with all of its steps. Strongly consistent. A read unit for each 4 KB: for some 500 users. Undefined if it is not kept any more. */
export async function readLog(database: Database, name: string): Promise<Log | undefined> {
  const { tables, runtime } = database;
  const found = query(database, { table: tables.directory, partition: ['pk', keyOf(name, 0).pk] });
  const [head, ...steps] = await Array.fromAsync(found);
  if (!head || isExpired(runtime.now(), head)) return undefined;
  const { by, hash, at } = head;
  return {
    name,
    ...(by !== undefined && { by: String(by) }),
    hash: String(hash),
    at: Number(at),
    steps: steps.map(toStep),
  };
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
  const { ids, until, changed, unchanged, failed, end } = step;
  const items = [
    ...(steps.length === 0 ? [{ ...keyOf(name, 0), by, hash, at, ttl }] : []),
    { ...keyOf(name, steps.length + 1), ids: packIds(ids), until, changed, unchanged, failed, end, ttl },
  ];
  const puts = items.map((Item) => ({
    Put: { TableName: database.tables.directory, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return (await transact(database, puts)) ? { ...log, steps: [...steps, step] } : undefined;
}
