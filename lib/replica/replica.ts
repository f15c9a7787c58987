/**
 * The replica of a container, kept current: all rows, with every write that was acknowledged before a request.
 *
 *   journal ─▶ [base, the first time or after a gap ─▶] [deltas since ─▶] entries ─▶ the replica, and a tag of its state
 *   one read, strongly: all that a warm container asks
 *
 * A replica is a value: a request takes the one that is there, before it reads the journal, and goes on from it. A stream goes on with the one
 * that it began with. Invariants, each held by tests/property/races.test.ts:
 *
 * - what was acknowledged before a request is in its replica, what was never committed is not
 * - a container never shows an earlier state than before
 * - equal tags stand for equal states
 */

import { BrokenBase, type Replica, withChanges } from '../columns/index.ts';
import { note, unavailable } from '../ground/index.ts';
import { type Loads, loadOnce, refuseBroken } from './bases.ts';
import { BrokenDelta } from './deltas.ts';
import type { HeadWithBase } from './head.ts';
import { newestOf, readHead } from './journal.ts';
import { createMerging } from './merging.ts';
import { quarantine } from './quarantine.ts';
import { type Changed, changeOf, type Rows, rowsOf, storedRowsOf } from './rows.ts';
import { deltasAfter, MOVED, type Moved, readState, type State, type Tag, untilStill } from './state.ts';
import type { Storage } from './storage.ts';

/** All rows until an epoch, and some later writes. */
export interface Held {
  generation: string;
  epoch: number;
  replica: Replica;
  /** The keys of the entries that were applied last, each the newest of its row. */
  applied?: ReadonlySet<string>;
}

/** The rows as they are, and the head that they were read with. */
export interface Current extends Pick<State, 'tag' | 'head'> {
  replica: Replica;
}

/** The client has the rows of this state already. */
export interface Known {
  tag: Tag;
  replica?: undefined;
}

/** Whether the client already has the state of a tag. */
export type IsKnown = (tag: Tag) => boolean;

/** One process that reads, and what it goes on from. */
interface Container {
  readonly storage: Storage;
  readonly loads: Loads;
  readonly merge: ReturnType<typeof createMerging>;
  /** Bases that were merged: requests that overlapped the merge do not bring them back. */
  readonly left: WeakSet<object>;
  held?: Held | undefined;
  /** The first replica, while it is made, and when the reading ended that it is made of. */
  making?: { readonly ended: number; readonly first: Promise<Held | Moved> } | undefined;
}

/** The rows that were held, with the changes of deltas and of entries. Now it has all until the epoch of the head. */
function advanced(rows: Rows, held: Held, deltas: readonly Changed[], { head, entries }: State): Held {
  const newest = newestOf(entries);
  // An entry that was applied stands, unless a delta with earlier ones came after it.
  const news = deltas.length > 0 ? newest : newest.filter(({ sk }) => !held.applied?.has(sk));
  const changes = [...storedRowsOf(rows, deltas), ...rowsOf(rows, news.map(changeOf))];
  note({ changes: changes.length });
  const replica = changes.length > 0 ? withChanges(held.replica, changes) : held.replica;
  return { generation: head.generation, epoch: head.epoch, replica, applied: new Set(newest.map(({ sk }) => sk)) };
}

/** Whether what is stored does not hold: a base must be made of the table again. */
export const isBroken = (error: unknown): error is BrokenBase | BrokenDelta =>
  error instanceof BrokenBase || error instanceof BrokenDelta;

/**
 * Deltas after a base stay until a later one is there.
 *
 * @throws {BrokenDelta} if the head still names this base: one of them is lost for ever
 */
async function refuseLost(storage: Storage, { generation, base }: HeadWithBase): Promise<void> {
  const now = await readHead(storage);
  if (now?.generation === generation && now.base?.name === base.name)
    throw new BrokenDelta(`A delta after ${base.epoch}`);
}

/** A base with all that came after it. `moved` if a part of it, or a delta, is missing. */
async function fromBase({ storage, loads }: Pick<Container, 'storage' | 'loads'>, reading: State) {
  const { head } = reading;
  const { epoch, base: load } = loadOnce(storage, loads, head);
  const [base, deltas] = await Promise.all([load, deltasAfter(storage, reading, epoch)]);
  if (base && !deltas && epoch === head.base.epoch) await refuseLost(storage, head);
  if (!base || !deltas) return MOVED;
  return advanced(storage.rows, { generation: head.generation, epoch, replica: base }, deltas, reading);
}

function keep(container: Container, next: Held): Held {
  const { held, left } = container;
  const isLater = held?.generation !== next.generation || (next.epoch >= held.epoch && !left.has(next.replica.base));
  if (isLater) container.held = next;
  return next;
}

/**
 * Requests that come while the first replica of a container is made wait for it. A reading that began after that of the replica had ended goes
 * on from it, as if it had been there before; any other is made again.
 */
async function first(container: Container, reading: State): Promise<Held | Moved> {
  if (container.making) {
    const { ended, first } = container.making;
    const made: Held | Moved = await first.catch(() => MOVED);
    return made !== MOVED && reading.began > ended ? catchUp(container, made, reading) : MOVED;
  }
  const made = fromBase(container, reading).then((held) => (held === MOVED ? held : keep(container, held)));
  container.making = { ended: reading.ended, first: made };
  try {
    return await made;
  } finally {
    container.making = undefined;
  }
}

async function catchUp(container: Container, from: Held | undefined, reading: State): Promise<Held | Moved> {
  const { storage, merge, left } = container;
  const own = from?.generation === reading.head.generation ? from : undefined;
  const deltas = own && (await deltasAfter(storage, reading, own.epoch));
  if (!deltas) return container.held === from ? first(container, reading) : MOVED;
  const next = advanced(storage.rows, own, deltas, reading);
  const replica = merge(next.replica, Math.max(0, next.replica.changes - own.replica.changes));
  if (replica.base !== next.replica.base) left.add(next.replica.base);
  return { ...next, replica };
}

/**
 * Columns are unpacked when they are needed first: then the base may turn out not to hold. So may a delta, when it is read.
 *
 * @throws {unknown} any other error, and 503 for these: the fold is asked for a rebuild
 */
async function refuse(storage: Storage, head: HeadWithBase, error: unknown): Promise<never> {
  if (!isBroken(error)) throw error;
  quarantine(error instanceof BrokenDelta ? error.message : `The base ${head.base.name}`, error.cause ?? error);
  return refuseBroken(storage, head);
}

/** @param from what the container held before the journal was read */
async function follow(container: Container, from: Held | undefined, reading: State): Promise<Current | Moved> {
  const { tag, head } = reading;
  const next = await catchUp(container, from, reading).catch((error) => refuse(container.storage, head, error));
  return next === MOVED ? next : { tag, head, replica: keep(container, next).replica };
}

/** One attempt to answer with the rows as they are, or with something else for their tag. */
async function answer<Other>(
  container: Container,
  instead: (tag: Tag) => Other | undefined,
): Promise<Current | Other | Moved> {
  const from = container.held;
  const reading = await readState(container.storage);
  return reading === MOVED ? reading : (instead(reading.tag) ?? follow(container, from, reading));
}

/** One attempt to bring the stored rows and others up to one journal. */
async function besideStored(storage: Storage, other: Held): Promise<{ stored: Replica; other: Replica } | Moved> {
  const reading = await readState(storage);
  const stored = reading === MOVED ? reading : await fromBase({ storage, loads: {} }, reading);
  if (reading === MOVED || stored === MOVED) return MOVED;
  const deltas = await deltasAfter(storage, reading, other.epoch);
  if (stored.generation !== other.generation || !deltas) throw unavailable('A base was rebuilt meanwhile: try again');
  return { stored: stored.replica, other: advanced(storage.rows, other, deltas, reading).replica };
}

/**
 * The rows of the stored base, and others that were read from an epoch on, both brought up to one journal.
 *
 * @throws {BrokenBase | BrokenDelta} if what is stored does not hold
 */
export const beside = (storage: Storage, other: Held): Promise<{ stored: Replica; other: Replica }> =>
  untilStill(storage, () => besideStored(storage, other));

/** A reader: one for each process. Its calls throw 503 where no base is stored, it does not hold or does not fit, and when nothing stands still. */
export function createReplica(storage: Storage) {
  const merge = createMerging(storage.limits, storage.runtime);
  const container: Container = { storage, loads: {}, merge, left: new WeakSet() };
  return {
    /** The rows as they are. */
    now: (): Promise<Current> => untilStill(storage, () => answer<never>(container, () => undefined)),

    /** The same, unless the client has their state. */
    unlessKnown: (isKnown: IsKnown): Promise<Current | Known> =>
      untilStill(storage, () => answer<Known>(container, (tag) => (isKnown(tag) ? { tag } : undefined))),

    /** Called with the error of a question. @throws {unknown} it, or 503 if what is stored does not hold: then a rebuild is asked for */
    refuseBroken: (head: HeadWithBase, error: unknown): Promise<never> => refuse(storage, head, error),
  };
}

export type ReadReplica = ReturnType<typeof createReplica>;
