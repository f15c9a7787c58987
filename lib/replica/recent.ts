/**
 * The rows that have changed since the state that an index shows: of the batches behind it by their deltas, and of the journal. An answer of the
 * index without these rows, and with them as they are here, is of the state of the tag: with every write that was acknowledged before.
 *
 *   claim of batch N ─▶ a second ─▶ N is put into the index     (following.ts)
 *   head, journal ─▶ deltas behind the index ─▶ an answer of the index, within a second of the beginning: no batch behind the head is in it
 */
import type { Row } from '../columns/index.ts';
import { note, unavailable } from '../ground/index.ts';
import { requireIndex } from './bases.ts';
import { newestOf, READ_WITHIN_MS, readHead } from './journal.ts';
import { changeOf, rowsOf, storedRowsOf } from './rows.ts';
import { deltasAfter, epochNeeded, MOVED, type Moved, readState, type State, type Tag } from './state.ts';
import type { Storage } from './storage.ts';

/** The state of all rows, beside an index. */
export interface Beside extends Pick<State, 'tag' | 'head' | 'began'> {
  tag: Tag;
  /** The name of the index. */
  index: string;
  /** Each row that has changed since; undefined if it is gone. */
  changed: ReadonlyMap<number, Row | undefined>;
}

/** Batches that an index may be behind: at a hundred writes a second some minutes. */
const MOST_BEHIND = 64;

/** Each list reads these rows, and the engine passes over their ids. */
const MOST_CHANGED = 20_000;

const tooFar = () => unavailable('The index is too far behind: it comes nearer by each call of the fold');

/** One attempt. @throws {ServiceError} 503 where there is no index yet, or it is too far behind */
export async function readBeside(storage: Storage): Promise<Beside | Moved> {
  const state = await readState(storage);
  if (state === MOVED) return MOVED;
  const { tag, head, began, entries } = state;
  const { name, indexed } = requireIndex(head);
  if (epochNeeded(head, entries) - indexed > MOST_BEHIND) throw tooFar();
  const deltas = await deltasAfter(storage, state, indexed);
  if (!deltas) return MOVED;
  const changed = new Map([
    ...storedRowsOf(storage.rows, deltas),
    ...rowsOf(storage.rows, newestOf(entries).map(changeOf)),
  ]);
  note({ besideIndex: changed.size });
  if (changed.size > MOST_CHANGED) throw tooFar();
  return { tag, head, began, index: name, changed };
}

/** Whether an index has shown no batch behind the head until now. */
export async function isStill(storage: Storage, { head, began }: Pick<Beside, 'head' | 'began'>): Promise<boolean> {
  if (storage.runtime.monotonic() - began < READ_WITHIN_MS) return true;
  return (await readHead(storage))?.epoch === head.epoch;
}
