/**
 * The fold's second reader: puts what folds leave into an index outside, and keeps it in the head's place for a base.
 *
 *   no index, one that is lost, or one that lacks fields ─▶ a copy: the epoch is noted, then a Scan is put, page by page, and may go on at any of them
 *   a copy that has all rows ─▶ the batches since ─▶ it takes the base's place
 *   deltas behind it ─▶ a second since the head was read ─▶ rows with their epoch as version ─▶ shown ─▶ the head says so
 *
 * Any number may run, and each may freeze or die anywhere: an epoch is a version of a row that no earlier one replaces, and the epoch in the head only
 * rises. Lists never see a batch that was claimed within the last second, nor one that the head does not have.
 */
import { kindNames, type Row } from '../columns/index.ts';
import { scanFrom } from '../dynamodb/index.ts';
import { ensureTime, withDeadline } from '../ground/index.ts';
import { BrokenDelta, readDeltas } from './deltas.ts';
import { type Head, type HeadWithBase, type IndexCopy, isIndex, type StoredBase } from './head.ts';
import {
  beginCopy,
  dropCopy,
  dropCopying,
  newBaseName,
  noteCopy,
  noteIndexed,
  putCopied,
  putRead,
} from './headChanges.ts';
import { READ_WITHIN_MS, readHead } from './journal.ts';
import { keepJournal, lengthOf, REPAIR_MS, tell, type Upkeep } from './maintenance.ts';
import { GRACE_MS, sweep } from './merge.ts';
import { quarantine } from './quarantine.ts';
import { beginHead } from './rebuild.ts';
import { rowsOf } from './rows.ts';
import type { Storage } from './storage.ts';
import { lacksFields } from './storedBase.ts';

/** A row with the epoch of its batch; undefined if it is gone. */
interface Followed {
  id: number;
  version: number;
  row: Row | undefined;
}

/** An index outside. Its names begin with an epoch. Calls throw 503 while it is away; those that are repeated, or late, do no harm. */
export interface Index {
  create(name: string): Promise<void>;
  exists(name: string): Promise<boolean>;
  /** Removes the other indexes of its epoch, and of earlier ones. */
  removeOthers(name: string): Promise<void>;
  /** Ends the copy of all rows: none of it is put any more. */
  endCopy(name: string): Promise<void>;
  /** @param isCopy whether the rows are of the copy of all. @returns false if there is no such index, or its copy has ended */
  put(name: string, rows: Iterable<Followed>, isCopy?: boolean): Promise<boolean>;
  /** Lets readers find what was put. @returns false if there is no such index */
  show(name: string): Promise<boolean>;
}

interface FollowOptions {
  /** How long after another kind of base has come nothing takes its place, in milliseconds: longer than folds of before a deployment run. */
  changeOverMs?: number;
  /** Whether an index that has all takes the place of the base. */
  takesPlace?: boolean;
}

/** One process that follows. */
interface Follower extends Required<FollowOptions> {
  readonly storage: Storage;
  readonly index: Index;
}

/** Batches that are put together. */
const BATCHES = 16;

/** Milliseconds between two runs beside a fold. A list reads what the index is behind: it is to be little. */
const PAUSE_MS = 250;

/**
 * The milliseconds of the wall clock after which nothing is put that was read before: a laptop may sleep in between. An index forgets deletions after
 * an hour (`index.gc_deletes`), and would take an older version of such a row for a new one.
 */
const STALE_MS = GRACE_MS;

/** The milliseconds for which an index is made before the one that lists are made of follows again. */
const SLICE_MS = 2_000;

const kindsOf = ({ rows }: Storage): string => JSON.stringify(kindNames(rows.kinds));

/** A base in whose place an index comes. */
const placeFor = (storage: Storage, { epoch }: Head): StoredBase => ({
  ...{ name: newBaseName(storage, epoch), epoch, users: 0, parts: 0, checksum: 0, unpacked: 0 },
  ...{ at: storage.runtime.now(), kinds: kindsOf(storage), indexed: 0 },
});

/** Folds go on before there is an index, and whether or not it can be reached. */
async function begin(storage: Storage): Promise<void> {
  while (!(await readHead(storage))?.base) {
    const noted = await beginHead(storage);
    await putRead(storage, noted, placeFor(storage, noted));
  }
}

/** Whether another index must be made. @param indexed undefined if batches that the present one lacks are lost, or it is */
async function lacksIndex(
  { storage, index, changeOverMs }: Follower,
  { base }: HeadWithBase,
  indexed: number | undefined,
): Promise<boolean> {
  if (!isIndex(base)) return storage.runtime.now() - base.at >= changeOverMs;
  return !indexed || lacksFields(storage, base) || !(await index.exists(base.name));
}

/** The epoch is noted before the table is read: who changes meanwhile is in a later batch. */
async function beginIndex({ storage, index }: Follower, head: Head): Promise<void> {
  const { name, epoch, at, kinds } = placeFor(storage, head);
  await index.create(name);
  await beginCopy(storage, { name, epoch, at, kinds, users: 0 });
}

function* followed({ rows }: Storage, items: readonly Record<string, unknown>[], version: number): Generator<Followed> {
  for (const item of items) {
    const row = rows.ofItem(item);
    if (row) yield { id: row.id, version, row };
  }
}

/** Puts the rows of the table, from where the copy has come, until the time is over. */
async function copyOn({ storage, index }: Follower, begun: IndexCopy, end: number): Promise<void> {
  let copy = begun;
  for await (const { items, last } of scanFrom(storage, storage.tables.users, begun.after)) {
    ensureTime(storage.runtime);
    if (!(await index.put(copy.name, followed(storage, items, copy.epoch), true)))
      return void (await dropCopying(storage, copy));
    if (!last && !(await index.show(copy.name))) return void (await dropCopy(storage, copy));
    const next = { ...copy, after: last, users: copy.users + items.length, ...(!last && { indexed: copy.epoch }) };
    if (!(await noteCopy(storage, copy, next)) || storage.runtime.monotonic() > end) return;
    copy = next;
  }
}

/** The rows of the batches after an epoch, as far as all are there. Undefined if one is missing that must have been written. */
async function newsAfter(
  storage: Storage,
  head: HeadWithBase,
  after: number,
): Promise<{ until: number; rows: Followed[] } | undefined> {
  const last = Math.min(head.epoch, after + BATCHES);
  // The delta of a batch under way may be there already.
  const until = [last, last - 1].filter(
    (epoch) => epoch > after && (epoch === last || (head.batch.length > 0 && last === head.epoch)),
  );
  for (const epoch of until) {
    const rows = await changesUntil(storage, after, epoch);
    if (rows) return { until: epoch, rows };
  }
  const isPending = head.batch.length > 0 && head.epoch === after + 1;
  return head.epoch <= after || isPending ? { until: after, rows: [] } : undefined;
}

/** Of each row the last change, with the epoch of its batch. */
async function changesUntil(storage: Storage, after: number, until: number): Promise<Followed[] | undefined> {
  const newest = new Map<number, Followed>();
  for (let epoch = after; epoch < until; epoch++) {
    const changed = await readDeltas(storage, epoch, epoch + 1);
    if (!changed) return undefined;
    for (const [id, row] of rowsOf(storage.rows, changed)) newest.set(id, { id, version: epoch + 1, row });
  }
  return [...newest.values()];
}

/** Puts the batches that an index lacks. @returns the epoch until which it shows all; undefined where they are lost, or it is */
async function advance(
  { storage, index }: Follower,
  head: HeadWithBase,
  of: 'base' | 'copy',
): Promise<number | undefined> {
  const { runtime } = storage;
  const seen = runtime.monotonic();
  const target = head[of] as StoredBase;
  const { name, indexed = 0 } = target;
  const news = await newsAfter(storage, head, indexed);
  if (!news) return undefined;
  if (news.until === indexed) return indexed;
  await runtime.sleep(Math.max(0, seen + READ_WITHIN_MS - runtime.monotonic()));
  ensureTime(runtime);
  if (!(await index.put(name, news.rows)) || !(await index.show(name))) return undefined;
  await noteIndexed(storage, of, { ...target, indexed: news.until });
  return news.until;
}

/** A copy that has all but the batch under way takes the place of the base. */
async function takePlace({ storage, index, takesPlace }: Follower, head: Head, copy: IndexCopy): Promise<void> {
  const { name, epoch, kinds, users, indexed = 0 } = copy;
  if (!takesPlace || indexed < head.epoch - 1) return;
  // It may be lost while nothing is written.
  if (!(await index.show(name))) return void (await dropCopy(storage, copy));
  const base = { name, epoch, kinds, users, indexed, parts: 0, checksum: 0, unpacked: 0, at: storage.runtime.now() };
  if (await putCopied(storage, base)) await index.removeOthers(name);
}

/** A delta that does not hold is lost, too. */
const sound = (error: unknown): undefined => {
  if (!(error instanceof BrokenDelta)) throw error;
  quarantine(error.message, error.cause ?? error);
};

/** Goes on with an index that is made. If it is lost, or batches that it lacks are, another one is made. @returns whether it has all */
async function followCopy(follower: Follower, head: HeadWithBase, copy: IndexCopy, end: number): Promise<boolean> {
  const { storage } = follower;
  if (copy.indexed === undefined) {
    await copyOn(follower, copy, end);
    return false;
  }
  // Another process may still be copying, and would put users who are newer than lists that are being made.
  await follower.index.endCopy(copy.name);
  const indexed = await advance(follower, head, 'copy').catch(sound);
  if (indexed === undefined) await dropCopy(storage, copy);
  else await takePlace(follower, head, { ...copy, indexed });
  return indexed !== undefined && indexed >= head.epoch - 1;
}

/** One step. @returns whether there is nothing left to do */
async function follow(follower: Follower, end: number): Promise<boolean> {
  const read = await readHead(follower.storage);
  if (!read?.base) return true;
  const head = { ...read, base: read.base };
  const { base, copy } = head;
  const indexed = base.indexed ? await advance(follower, head, 'base').catch(sound) : base.indexed;
  const slice = indexed ? Math.min(end, follower.storage.runtime.monotonic() + SLICE_MS) : end;
  if (copy) return (await followCopy(follower, head, copy, slice)) && !follower.takesPlace;
  if (await lacksIndex(follower, head, indexed)) await beginIndex(follower, head);
  else return indexed === undefined || indexed >= head.epoch - 1;
  return false;
}

interface FollowReport {
  /** For how long this process has seen the index lack batches that are done, in milliseconds. */
  behindMs: number;
}

/** Follows the folds of a stage, for as long as its container lives. */
export function createFollower(storage: Storage, index: Index, options: FollowOptions = {}) {
  const { changeOverMs = REPAIR_MS, takesPlace = true } = options;
  const follower: Follower = { storage, index, changeOverMs, takesPlace };
  const { runtime } = storage;
  let since: number | undefined;

  async function report(): Promise<FollowReport> {
    const head = await readHead(storage);
    const behind = head?.base ? head.epoch - (head.base.indexed ?? 0) : 0;
    since = behind > 1 ? (since ?? runtime.monotonic()) : undefined;
    return { behindMs: since === undefined ? 0 : runtime.monotonic() - since };
  }

  /** Goes on until the index has all, or the time is over. A fault of the index ends the run: the next one tries again. */
  async function run(milliseconds: number): Promise<FollowReport> {
    const end = runtime.monotonic() + milliseconds;
    try {
      while (!(await withDeadline(runtime.now() + STALE_MS, () => follow(follower, end))) && runtime.monotonic() < end);
    } catch (error) {
      tell(error);
    }
    return report();
  }

  return {
    /** Begins to make another index, beside the one that lists are made of. */
    async anew(): Promise<void> {
      const head = await readHead(storage);
      if (head) await beginIndex(follower, head);
    },

    run,

    /** The run of a fold beside which this follows, and once more when it has ended. */
    beside:
      <Report>(fold: (milliseconds: number) => Promise<Report>) =>
      async (milliseconds: number): Promise<Report & FollowReport> => {
        const end = runtime.monotonic() + milliseconds;
        let isFolding = true;
        const folded = fold(milliseconds).finally(() => {
          isFolding = false;
        });
        while (isFolding) {
          await run(end - runtime.monotonic());
          await Promise.race([folded, runtime.sleep(PAUSE_MS)]);
        }
        return { ...(await folded), ...(await run(end - runtime.monotonic())) };
      },
  };
}

/** The upkeep of a stage whose lists come from an index: no base is written, and nothing is refused for room. */
export function createIndexUpkeep(storage: Storage): Upkeep {
  let swept = storage.runtime.now();
  return {
    begin: () => begin(storage),
    async maintain(head, entries) {
      try {
        await keepJournal(storage, head, lengthOf(storage.limits, entries));
        if (head.base.indexed && storage.runtime.now() - swept > GRACE_MS) {
          await sweep(storage, head);
          swept = storage.runtime.now();
        }
      } catch (error) {
        tell(error);
      }
      return false;
    },
    sizeOf: () => 0,
  };
}
