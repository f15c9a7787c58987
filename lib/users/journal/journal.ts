import { unavailable } from '../../errors.ts';
import { noteJournal } from '../../metering.ts';
import type { Database } from '../database.ts';
import { addModulo, toHex } from '../hash.ts';
import { entryHash, type JournalEntry } from './entry.ts';
import type { Head } from './head.ts';
import { readHead } from './items.ts';
import { readStage } from './newStage.ts';

/** The latest writes as one reader sees them: the statistics do not have them, and indexes may not have them yet. */
export interface Journal extends Pick<Head, 'generation' | 'indexes' | 'buckets' | 'epoch' | 'total'> {
  /** Changes with every write, and when statistics are built again. */
  tag: string;
  /** Entries that are in no batch yet. */
  fresh: readonly JournalEntry[];
  /** Entries that are being folded. Nodes of this journal's epoch include them, older ones do not. */
  batch: readonly JournalEntry[];
  /** The newest entry of each user in the journal. */
  latest: ReadonlyMap<number, JournalEntry>;
  /** Checks that a node is not newer than the journal. @throws {JournalMoved} when it is */
  expect(epoch: number): void;
}

/** A fold has begun since the journal was read, so the journal and the nodes do not fit together. */
export class JournalMoved extends Error {}

const added = ({ before, after }: JournalEntry): number => Number(after !== undefined) - Number(before !== undefined);

export const tagOf = (tag: number, entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, { sk }) => addModulo(sum, entryHash(sk)), tag);

export const totalOf = (total: number, entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, entry) => sum + added(entry), total);

/**
 * Entries stay in the journal for at least this time after the last node of their batch is written, so whoever reads the
 * journal within this time after a node has the entries that the node lacks. In milliseconds.
 */
export const READ_WITHIN_MS = 1_000;

/** The journal of a reader. @throws {JournalMoved} when a fold begins while it is read */
export async function readJournal(database: Database): Promise<Journal> {
  const { head, entries, batch, fresh, pages } = await readStage(database);
  noteJournal(entries.length);
  if (pages > 1 && (await readHead(database)).epoch !== head.epoch) throw new JournalMoved();
  // If an entry of the batch is deleted, all nodes have been written and every index has caught up.
  const isPast = batch.length < head.batch.length;
  const seen = isPast ? fresh : entries;
  const latest = new Map<number, JournalEntry>();
  for (const entry of seen) if (!latest.has(entry.id)) latest.set(entry.id, entry);
  return {
    generation: head.generation,
    indexes: head.indexes,
    buckets: head.buckets,
    epoch: head.epoch,
    total: totalOf(head.total, fresh),
    tag: toHex(tagOf(head.tag, fresh)),
    fresh,
    batch: isPast ? [] : batch,
    latest,
    expect(epoch) {
      if (epoch > head.epoch) throw new JournalMoved();
    },
  };
}

const MAX_READINGS = 5;

/**
 * Reads the journal, then calls `read`. Starts again if a fold begins before `read` has ended.
 *
 * @throws {ServiceError} 503 when that happens five times in a row
 */
export async function withJournal<Result>(
  database: Database,
  read: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    try {
      return await read(await readJournal(database));
    } catch (error) {
      if (!(error instanceof JournalMoved)) throw error;
    }
  }
  throw unavailable(`The journal moved ${MAX_READINGS} times while it was read`);
}
