/** What a fold does besides folding: it merges, sweeps, reads the users anew where what is stored of them does not hold, and notes pressure. */

import { logFault, ServiceError } from '../ground/index.ts';
import { createReplica } from './current.ts';
import type { JournalEntry } from './entry.ts';
import type { HeadWithBase, Pressure } from './head.ts';
import { askForParts, beginRepair, notePressure, raiseParts } from './headChanges.ts';
import { sizeOf } from './limits.ts';
import { GRACE_MS, isMergeDue, merge, sweep } from './merge.ts';
import { readAnew } from './readAnew.ts';
import { isFull } from './room.ts';
import type { Storage } from './storage.ts';
import { lacksFields } from './storedBase.ts';

/** Longer than a fold may take. */
const REPAIR_MS = 6 * 60_000;

/** Longer than functions of before a deployment serve: until then their histories would not look into further parts. */
const RAISE_MS = 15 * 60_000;

/**
 * Up to so many times the largest base of functions that list is merged in as much memory: a million users took 5.8 times the bytes of their columns,
 * where 7.5 are reserved for lists. What is larger is told, and not merged.
 */
const MERGED_SHARE = 1.25;

/** A base that cannot be made now stops no entries. */
function tell(error: unknown): false {
  if (!(error instanceof ServiceError)) throw error;
  logFault(error, undefined);
  return false;
}

/** Entries are some hundred bytes, unless users have many attributes. */
const BYTES_OF_ENTRY = 1_000;

/** As how many entries readers feel some. */
const weightOf = (entries: readonly JournalEntry[]): number =>
  entries.reduce(
    (sum, { after = '', before = '' }) => sum + Math.max(1, (after.length + before.length) / BYTES_OF_ENTRY),
    0,
  );

export function createUpkeep(database: Storage) {
  const { limits, runtime } = database;
  // It answers no questions, so a base has more room here: one that is too large for lists becomes smaller by a merge.
  const users = createReplica({ ...database, limits: { ...limits, baseBytes: MERGED_SHARE * limits.baseBytes } });
  /** The base after which this container has swept: so what a process that woke late has left is found by the next container. */
  let swept = '';

  function pressureOf({ base }: HeadWithBase, entries: readonly JournalEntry[]): Pressure | undefined {
    if (isFull(limits, sizeOf(base))) return 'full';
    return weightOf(entries) > limits.journalEntries ? 'long' : undefined;
  }

  /** A repair of many users takes longer than the next call of a fold waits. */
  async function repair(head: HeadWithBase, now: number): Promise<boolean> {
    const isOwn = await beginRepair(database, now - REPAIR_MS);
    if (isOwn) await readAnew(database, head);
    return isOwn;
  }

  async function keepParts({ parts, partsAsked }: HeadWithBase): Promise<void> {
    if (parts >= limits.journalParts) return;
    if (partsAsked === 0) await askForParts(database);
    else if (runtime.now() - partsAsked > RAISE_MS) await raiseParts(database, limits.journalParts);
  }

  async function keepUp(head: HeadWithBase, entries: readonly JournalEntry[]): Promise<boolean> {
    const pressure = pressureOf(head, entries);
    if (pressure !== head.pressure) await notePressure(database, pressure);
    await keepParts(head);
    const now = runtime.now();
    if (head.repairAsked > head.base.at || lacksFields(database, head.base)) return repair(head, now);
    const isDue = isMergeDue(database, head, now);
    if (isDue) await merge(database, users);
    else if (swept !== head.base.name && now >= head.base.at + GRACE_MS) {
      await sweep(database, head);
      swept = head.base.name;
    }
    return isDue;
  }

  /** One thing that is due, if any. @returns whether there is another base: who goes on with this head would take back what it notes of it */
  return (head: HeadWithBase, entries: readonly JournalEntry[]): Promise<boolean> =>
    keepUp(head, entries)
      .catch((error: unknown) => users.refuseBroken(head, error))
      .catch(tell);
}
