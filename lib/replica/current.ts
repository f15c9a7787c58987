/**
 * The replica of a container, kept current: all users, with every write that was acknowledged before a request.
 *
 *   journal ─▶ [base, the first time or after a gap ─▶] [deltas since ─▶] entries ─▶ the replica, and a tag of its state
 *   one read, strongly: all that a warm container asks
 *
 * A replica is a value: a request takes the one that is there, before it reads the journal, and goes on from it. Who streams from an earlier
 * one goes on, too. Invariants, each held by tests/property/races.test.ts:
 *
 * - what was acknowledged before a request is in its replica, what was never committed is not
 * - a container never shows an earlier state than before
 * - equal tags stand for equal states
 */

import { BrokenBase, type Replica, withChanges } from '../columns/index.ts';
import { note, unavailable } from '../ground/index.ts';
import { createBases, requireBase } from './bases.ts';
import { BrokenDelta, readDeltas } from './deltas.ts';
import type { JournalEntry } from './entry.ts';
import { toHex } from './hash.ts';
import type { Head, HeadWithBase } from './head.ts';
import { newestOf, readHead, readItems, splitBy, tagOf } from './journal.ts';
import { createMerging } from './merging.ts';
import { noteReplica } from './noteReplica.ts';
import { type Changed, changeOf, type Rows, rowsOf, storedRowsOf } from './rows.ts';
import { setAside } from './setAside.ts';
import type { Storage } from './storage.ts';

/** Stands for the state of all users. It changes with every write, and when users are read anew. */
export type Tag = string;

/** A journal whose head and entries belong together. */
interface Reading {
  head: HeadWithBase;
  entries: JournalEntry[];
  tag: Tag;
  /**
   * The journal lacks writes of the last moments, which the base has: of the batch that a new head begins with some entries are gone, so none
   * counts. A fold from before the head was lost deletes them, and others are younger.
   */
  lacksYoung: boolean;
}

/** The writes that are not folded yet, for readers who have the rows from elsewhere. */
export interface Recent extends Pick<Reading, 'tag' | 'lacksYoung'> {
  /** Each row as its newest write has made it; undefined if it is gone. */
  written(): ReturnType<typeof rowsOf>;
}

/** All users until an epoch, and some later writes. */
export interface Held {
  line: string;
  epoch: number;
  replica: Replica;
  /** The keys of the entries that were applied last, each the newest of its user. */
  applied?: ReadonlySet<string>;
}

/** The users as they are, and the head that they were read with. */
export interface Current extends Pick<Reading, 'tag' | 'head'> {
  replica: Replica;
}

/** The client has the users of this state already. */
export interface Known {
  tag: Tag;
  replica?: undefined;
}

/** Whether the client already has the state of a tag. */
export type IsKnown = (tag: Tag) => boolean;

/** Entries stay in the journal for at least a second after their batch was claimed. A reading that takes longer may lack some. */
export const READ_WITHIN_MS = 1_000;

/** Until which epoch deltas are needed: that of a batch is, unless all of its entries are in the journal still. */
function epochNeeded(head: Head, entries: readonly JournalEntry[]): number {
  const isWhole = head.batch.length > 0 && splitBy(head, entries).batch.length === head.batch.length;
  return isWhole ? head.epoch - 1 : head.epoch;
}

/** What was held, with the changes of deltas and of entries. Now it has all until the epoch of the head. */
function advanced(rows: Rows, held: Held, deltas: readonly Changed[], { head, entries }: Reading): Held {
  const newest = newestOf(entries);
  // An entry that was applied stands, unless a delta with earlier ones came after it.
  const news = deltas.length > 0 ? newest : newest.filter(({ sk }) => !held.applied?.has(sk));
  const changes = [...storedRowsOf(rows, deltas), ...rowsOf(rows, news.map(changeOf))];
  note({ changes: changes.length });
  const replica = changes.length > 0 ? withChanges(held.replica, changes) : held.replica;
  return { line: head.line, epoch: head.epoch, replica, applied: new Set(newest.map(({ sk }) => sk)) };
}

/** Whether what is stored does not hold: all users must be read anew. */
export const isBroken = (error: unknown): error is BrokenBase | BrokenDelta =>
  error instanceof BrokenBase || error instanceof BrokenDelta;

export function createReplica(database: Storage) {
  const { limits, runtime } = database;
  const bases = createBases(database);
  const merge = createMerging(limits, runtime);
  /** Bases that were merged: requests that overlapped the merge do not bring them back. */
  const left = new WeakSet<object>();
  let held: Held | undefined;
  let making: Promise<Held | undefined> | undefined;

  /** The journal; undefined if it must be read again. @throws {ServiceError} 503 where no base is stored */
  async function read(): Promise<Reading | undefined> {
    const sent = runtime.monotonic();
    const { head: read, entries: found } = await readItems(database);
    note({ journal: found.length });
    noteReplica();
    const head = requireBase(read);
    const isLate = runtime.monotonic() - sent > READ_WITHIN_MS;
    if (isLate && (await readHead(database))?.epoch !== head.epoch) return undefined;
    const { batch, fresh } = splitBy(head, found);
    // Of a batch of which an entry is gone none counts: its delta has them. Its other parts may have older ones still.
    const isWhole = batch.length === head.batch.length;
    const entries = isWhole ? found : fresh;
    const tag = `${head.line}-${toHex(tagOf(head.tag, fresh))}`;
    const lacksYoung = !isWhole && head.base.epoch >= head.epoch;
    return { head, entries, tag, lacksYoung };
  }

  const deltasFor = ({ head, entries }: Reading, after: number) =>
    readDeltas(database, after, epochNeeded(head, entries), head.base);

  /**
   * Deltas after a base stay until a later one is there.
   *
   * @throws {BrokenDelta} if the head still names this base: one of them is lost for ever
   */
  async function refuseLost({ line, base }: HeadWithBase): Promise<void> {
    const now = await readHead(database);
    if (now?.line === line && now.base?.name === base.name) throw new BrokenDelta(`A delta after ${base.epoch}`);
  }

  /** What a base becomes with all that came after it; undefined if a part of it, or a delta, is missing. */
  async function fromBase(reading: Reading): Promise<Held | undefined> {
    const { head } = reading;
    const { epoch, base: load } = bases.load(head);
    const [base, deltas] = await Promise.all([load, deltasFor(reading, epoch)]);
    if (base && !deltas && epoch === head.base.epoch) await refuseLost(head);
    if (!base || !deltas) return undefined;
    const loaded = { line: head.line, epoch, replica: base };
    return advanced(database.rows, loaded, deltas, reading);
  }

  /** Who comes while the first replica of a container is made waits for it, and begins again with it. */
  async function first(reading: Reading): Promise<Held | undefined> {
    if (making) {
      await making.catch(() => {});
      return undefined;
    }
    making = fromBase(reading).then(keep);
    try {
      return await making;
    } finally {
      making = undefined;
    }
  }

  async function catchUp(from: Held | undefined, reading: Reading): Promise<Held | undefined> {
    const own = from?.line === reading.head.line ? from : undefined;
    const deltas = own && (await deltasFor(reading, own.epoch));
    if (!deltas) return held === from ? first(reading) : undefined;
    const next = advanced(database.rows, own, deltas, reading);
    const replica = merge(next.replica, Math.max(0, next.replica.changes - own.replica.changes));
    if (replica.base !== next.replica.base) left.add(next.replica.base);
    return { ...next, replica };
  }

  const isLater = (next: Held): boolean =>
    held?.line !== next.line || (next.epoch >= held.epoch && !left.has(next.replica.base));

  function keep<Next extends Held | undefined>(next: Next): Next {
    if (next && isLater(next)) held = next;
    return next;
  }

  /**
   * Columns are unpacked when they are needed first: then the base may turn out not to hold. So may a delta, when it is read.
   *
   * @throws {unknown} any other error, and 503 for these: the fold is asked to read the users anew
   */
  async function refuseBroken(head: HeadWithBase, error: unknown): Promise<never> {
    if (!isBroken(error)) throw error;
    setAside(error instanceof BrokenDelta ? error.message : `The base ${head.base.name}`, error.cause ?? error);
    return bases.refuseBroken(head);
  }

  /** @param from what the container held before the journal was read */
  async function follow(from: Held | undefined, reading: Reading | undefined): Promise<Current | undefined> {
    const next = keep(
      reading && (await catchUp(from, reading).catch((error: unknown) => refuseBroken(reading.head, error))),
    );
    return next && reading && { tag: reading.tag, head: reading.head, replica: next.replica };
  }

  /** What `attempt` gives, which is undefined if it must begin again. @throws {ServiceError} 503 when it must again and again */
  async function untilDone<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
    for (let reading = 0; reading < limits.readings; reading++) {
      const result = await attempt();
      if (result) return result;
    }
    throw unavailable(`What is stored of users moved ${limits.readings} times while it was read`);
  }

  return {
    /** The journal alone: one read. What it has written is read when it is asked for. */
    async journal(): Promise<Recent> {
      const { tag, entries, lacksYoung } = await untilDone(read);
      return { tag, lacksYoung, written: () => rowsOf(database.rows, newestOf(entries).map(changeOf)) };
    },

    /** The users as they are. */
    now: (): Promise<Current> => untilDone(async () => follow(held, await read())),

    /** The same, unless the client has their state. */
    unlessKnown: (isKnown: IsKnown): Promise<Current | Known> =>
      untilDone(async () => {
        const from = held;
        const reading = await read();
        return reading && isKnown(reading.tag) ? { tag: reading.tag } : follow(from, reading);
      }),

    refuseBroken,

    /**
     * The users of the stored base, and others who were read from an epoch on, both brought up to one journal.
     *
     * @throws {BrokenBase | BrokenDelta} if what is stored does not hold
     */
    beside: (other: Held): Promise<{ stored: Replica; other: Replica }> =>
      untilDone(async () => {
        const reading = await read();
        const stored = reading && (await fromBase(reading));
        if (!stored) return undefined;
        const deltas = await deltasFor(reading, other.epoch);
        if (stored.line !== other.line || !deltas) throw unavailable('The users were read anew meanwhile: try again');
        return { stored: stored.replica, other: advanced(database.rows, other, deltas, reading).replica };
      }),
  };
}

export type ReadReplica = ReturnType<typeof createReplica>;
