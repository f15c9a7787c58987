/** The duties of a fold besides folding: it merges, sweeps, rebuilds where what is stored does not hold, and notes pressure. */

import { logFault, ServiceError, unavailable } from '../ground/index.ts';
import { TOO_LARGE } from './bases.ts';
import type { JournalEntry } from './entry.ts';
import { type HeadWithBase, isIndex, type Pressure } from './head.ts';
import { askForParts, beginRepair, notePressure, raiseParts } from './headChanges.ts';
import { type Limits, sizeOf } from './limits.ts';
import { GRACE_MS, isMergeDue, merge, sweep } from './merge.ts';
import { ensureBase, rebuild } from './rebuild.ts';
import { createReplica, type ReadReplica } from './replica.ts';
import { canBeMerged, isFull, mayFit } from './room.ts';
import type { Storage } from './storage.ts';
import { lacksFields } from './storedBase.ts';

/** Longer than a fold may take. */
export const REPAIR_MS = 6 * 60_000;

/** Longer than functions of before a deployment serve: until then their histories would not look into further parts. */
const RAISE_MS = 15 * 60_000;

/** Bytes of an entry, unless rows have many members. A longer one counts as several. */
const BYTES_OF_ENTRY = 1_000;

/** The part of a fold that depends on where lists come from: it keeps what stands in the head's place for a base. */
export interface Upkeep {
  /** Gives a stage without a head, or without a base, both. */
  begin(): Promise<void>;
  /**
   * Does what is due.
   *
   * @returns whether there is another base: a fold that goes on with this head would take back what it notes of it
   */
  maintain(head: HeadWithBase, entries: readonly JournalEntry[]): Promise<boolean>;
  /** The share of the largest base that the present one has, in percent. */
  sizeOf(head: HeadWithBase): number;
}

/** One process that keeps a base. */
interface Maintenance {
  readonly storage: Storage;
  readonly replica: ReadReplica;
  /** The base after which this process has swept: what a process that woke late has left is found by the next one. */
  swept: string;
}

/** The number of entries that readers feel. */
const weightOf = (entries: readonly JournalEntry[]): number =>
  entries.reduce(
    (sum, { after = '', before = '' }) => sum + Math.max(1, (after.length + before.length) / BYTES_OF_ENTRY),
    0,
  );

/** Whether the journal outruns its readers. */
export const lengthOf = (limits: Limits, entries: readonly JournalEntry[]): Pressure | undefined =>
  weightOf(entries) > limits.journalEntries ? 'long' : undefined;

const pressureOf = (limits: Limits, { base }: HeadWithBase, entries: readonly JournalEntry[]): Pressure | undefined =>
  isFull(limits, sizeOf(base)) ? 'full' : lengthOf(limits, entries);

/** A rebuild of many rows takes longer than the next call of a fold waits. */
async function repair(storage: Storage, head: HeadWithBase): Promise<boolean> {
  const isOwn = await beginRepair(storage, storage.runtime.now() - REPAIR_MS);
  if (isOwn) await rebuild(storage, head);
  return isOwn;
}

/** Raises the number of parts of the journal to the setting of the stage, once nobody serves who knows fewer. */
async function keepParts(storage: Storage, { parts, partsAsked }: HeadWithBase): Promise<void> {
  const { limits, runtime } = storage;
  if (parts >= limits.journalParts) return;
  if (partsAsked === 0) await askForParts(storage);
  else if (runtime.now() - partsAsked > RAISE_MS) await raiseParts(storage, limits.journalParts);
}

async function sweepOnce(maintenance: Maintenance, head: HeadWithBase): Promise<void> {
  const { storage, swept } = maintenance;
  if (swept === head.base.name || storage.runtime.now() < head.base.at + GRACE_MS) return;
  await sweep(storage, head);
  maintenance.swept = head.base.name;
}

/**
 * A base that is too large to be merged stays so, however many rows have gone. The table has only those that are left.
 *
 * @throws {ServiceError} 503 while too many are left
 */
function replaceTooLarge(storage: Storage, head: HeadWithBase): Promise<boolean> {
  if (!mayFit(storage.limits, sizeOf(head.base), head)) throw unavailable(TOO_LARGE);
  return repair(storage, head);
}

/** A fold of before a deployment that has turned lists over to an index takes nothing back. */
const replaceIndex = (storage: Storage, head: HeadWithBase): Promise<boolean> =>
  storage.runtime.now() - head.base.at > REPAIR_MS ? repair(storage, head) : Promise.resolve(false);

/** @returns whether there is another base */
async function keepBase(maintenance: Maintenance, head: HeadWithBase): Promise<boolean> {
  const { storage, replica } = maintenance;
  if (isIndex(head.base)) return replaceIndex(storage, head);
  if (head.repairAsked > head.base.at || lacksFields(storage, head.base)) return repair(storage, head);
  if (!isMergeDue(storage, head, storage.runtime.now())) {
    await sweepOnce(maintenance, head);
    return false;
  }
  if (!canBeMerged(storage.limits, head.base)) return replaceTooLarge(storage, head);
  await merge(storage, replica);
  return true;
}

/** A base, or a setting of the journal, that cannot be kept now stops no entries. */
export function tell(error: unknown): false {
  if (!(error instanceof ServiceError)) throw error;
  logFault(error, undefined);
  return false;
}

/** Notes pressure, and raises the number of parts of the journal. */
export async function keepJournal(storage: Storage, head: HeadWithBase, pressure: Pressure | undefined): Promise<void> {
  if (pressure !== head.pressure) await notePressure(storage, pressure);
  await keepParts(storage, head);
}

async function maintain(
  maintenance: Maintenance,
  head: HeadWithBase,
  entries: readonly JournalEntry[],
): Promise<boolean> {
  const { storage, replica } = maintenance;
  try {
    await keepJournal(storage, head, pressureOf(storage.limits, head, entries));
    return await keepBase(maintenance, head);
  } catch (error) {
    return replica.refuseBroken(head, error).catch(tell);
  }
}

/** Keeps a base. Its replica answers no questions: whether a base has room here is asked before it is merged. */
export function createMaintenance(storage: Storage): Upkeep {
  const limits = { ...storage.limits, baseBytes: Number.POSITIVE_INFINITY };
  const maintenance: Maintenance = { storage, replica: createReplica({ ...storage, limits }), swept: '' };
  return {
    begin: () => ensureBase(storage),
    maintain: (head, entries) => maintain(maintenance, head, entries),
    sizeOf: ({ base }) => (100 * sizeOf(base)) / storage.limits.baseBytes,
  };
}
