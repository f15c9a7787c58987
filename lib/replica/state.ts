/** One reading of the journal: the head, the entries that count, and a tag of the state that they make with what the head names. */
import { note, unavailable } from '../ground/index.ts';
import { requireBase } from './bases.ts';
import { readDeltas } from './deltas.ts';
import type { JournalEntry } from './entry.ts';
import { toHex } from './hash.ts';
import { type Head, type HeadWithBase, isIndex } from './head.ts';
import { newestOf, READ_WITHIN_MS, readHead, readJournal, splitBy, tagOf } from './journal.ts';
import { noteReplica } from './noteReplica.ts';
import { type Changed, changeOf, rowsOf } from './rows.ts';
import type { Storage } from './storage.ts';

/** Stands for the state of all rows. It changes with every write, and when a base is rebuilt. */
export type Tag = string;

/** A journal whose head and entries belong together. */
export interface State {
  head: HeadWithBase;
  entries: JournalEntry[];
  tag: Tag;
  /** When it began and ended, by the clock of the process, in milliseconds. */
  began: number;
  ended: number;
  /**
   * The journal lacks writes of the last moments, which the base has: of the batch that a new head begins with some entries are gone, so none
   * counts. A fold from before the head was lost deletes them, and others are younger.
   */
  lacksYoung: boolean;
}

/** The answer of an attempt that a fold, a merge or a repair has overtaken: it begins again. */
export const MOVED = 'moved';
export type Moved = typeof MOVED;

/** Attempts until nothing has moved meanwhile. @throws {ServiceError} 503 when it moves again and again */
export async function untilStill<Result>(
  { limits }: Pick<Storage, 'limits'>,
  attempt: () => Promise<Result | Moved>,
): Promise<Result> {
  for (let reading = 0; reading < limits.readings; reading++) {
    const result = await attempt();
    if (result !== MOVED) return result;
  }
  throw unavailable(`The stored rows changed ${limits.readings} times while they were read`);
}

/** One attempt to read the journal. @throws {ServiceError} 503 where no base is stored */
export async function readState(storage: Storage): Promise<State | Moved> {
  const { monotonic } = storage.runtime;
  const began = monotonic();
  const { head: read, entries: found } = await readJournal(storage);
  note({ journal: found.length });
  const head = requireBase(read);
  if (!isIndex(head.base)) noteReplica();
  const isLate = monotonic() - began > READ_WITHIN_MS;
  if (isLate && (await readHead(storage))?.epoch !== head.epoch) return MOVED;
  const { batch, fresh } = splitBy(head, found);
  // Of a batch of which an entry is gone none counts: its delta has them. Its other parts may have older ones still.
  const isWhole = batch.length === head.batch.length;
  const entries = isWhole ? found : fresh;
  const tag = `${head.generation}-${toHex(tagOf(head.tag, fresh))}`;
  const lacksYoung = !isWhole && head.base.epoch >= head.epoch;
  return { head, entries, tag, began, ended: monotonic(), lacksYoung };
}

/** The last epoch whose delta is needed: that of a batch is, unless all of its entries are in the journal still. */
export function epochNeeded(head: Head, entries: readonly JournalEntry[]): number {
  const isWhole = head.batch.length > 0 && splitBy(head, entries).batch.length === head.batch.length;
  return isWhole ? head.epoch - 1 : head.epoch;
}

/** The changes after an epoch that a reading does not have itself. Undefined if a delta is missing. @throws {BrokenDelta} */
export const deltasAfter = (
  storage: Storage,
  { head, entries }: State,
  epoch: number,
): Promise<Changed[] | undefined> => readDeltas(storage, epoch, epochNeeded(head, entries), head.base);

/** The writes that are not folded yet, for readers who have the rows from elsewhere. */
export interface Recent extends Pick<State, 'tag' | 'lacksYoung'> {
  /** Each row as its newest write has made it; undefined if it is gone. */
  written(): ReturnType<typeof rowsOf>;
}

/** The journal alone: one read. Its rows are read when they are asked for. */
export async function readRecent(storage: Storage): Promise<Recent> {
  const { tag, entries, lacksYoung } = await untilStill(storage, () => readState(storage));
  return { tag, lacksYoung, written: () => rowsOf(storage.rows, newestOf(entries).map(changeOf)) };
}
