/** A base of the users in the table: of a new stage, after a lost head, and when what is stored of them does not hold. */
import { type Replica, type Row, replicaFrom } from '../columns/index.ts';
import { scan, scanSmall } from '../dynamodb/index.ts';
import type { Database } from '../users/database.ts';
import { COLUMNS } from '../users/fields.ts';
import type { User } from '../users/user.ts';
import { isUser, toUser } from '../users/userItem.ts';
import { deltaPartitions, readLastEpoch } from './deltas.ts';
import type { Head } from './head.ts';
import { makeHead, putRead } from './headChanges.ts';
import { readToClaim } from './journal.ts';
import { oldestFirst } from './oldestFirst.ts';
import { basePartition, writeBase } from './storedBase.ts';

/** Lists know no versions. */
const unversioned = ({ version: _, ...user }: User): Row => user;

/** D7. All users, strongly consistent. A read unit for each 4 KB of the table. @param onUsers gets them, some at a time */
export async function scanUsers(
  database: Database,
  onUsers: (users: readonly User[]) => void = () => {},
): Promise<Replica> {
  const rows: Row[] = [];
  await scan(database, database.tables.users, (items) => {
    const users = items.filter(isUser).map(toUser);
    for (const user of users) rows.push(unversioned(user));
    onUsers(users);
  });
  return replicaFrom(COLUMNS, rows);
}

/** D8. All users, strongly consistent, if one page of a Scan has them: about 4,000 of them. Undefined if there are more. */
export async function scanFewUsers(database: Database): Promise<Replica | undefined> {
  const items = await scanSmall(database, database.tables.users);
  return items && replicaFrom(COLUMNS, items.filter(isUser).map(toUser).map(unversioned));
}

/** By far longer than it takes. */
const READ_WITHIN_MS = 60_000;

/** Where deltas and the parts of bases are: their keys begin with an epoch. */
const partitionsOf = (database: Database): string[] => [
  ...deltaPartitions(database),
  ...Array.from({ length: database.limits.basePartitions }, (_, i) => basePartition(i)),
];

/**
 * Makes a head where there is none. Its epoch is above all that were before, also by other clocks: their deltas must not pass for its own,
 * and their parts must be swept. Its batch has all entries, because a fold from before may still be deleting some of them; the base, which is
 * read after it, has them all.
 */
export async function beginHead(database: Database): Promise<Head> {
  const { runtime, limits } = database;
  for (;;) {
    const began = runtime.monotonic();
    const { head, claimable, parts } = await readToClaim(database);
    if (head) return head;
    const last = await Promise.all(partitionsOf(database).map((partition) => readLastEpoch(database, partition)));
    const epoch = Math.max(runtime.now(), ...last.map((each) => each + 1));
    const batch = oldestFirst(claimable).slice(0, limits.headEntries);
    // Who was frozen since may have slept through another head, which is lost by now, too: its entries are others.
    if (runtime.monotonic() - began > READ_WITHIN_MS) continue;
    await makeHead(database, epoch, batch.map(({ sk }) => sk).sort(), parts);
  }
}

/**
 * Reads all users anew, and puts a base of them in place: beside writers, folds and others who do the same.
 *
 * @param noted the head before the users are read. Whoever goes on from its epoch misses nothing
 * @param scan reads the users, all of them or none
 * @returns false if the users were too many, or another process was faster
 */
export async function readAnew(
  database: Database,
  noted: Head,
  scan: (database: Database) => Promise<Replica | undefined>,
  isNewFeed = false,
): Promise<boolean> {
  const at = database.runtime.now();
  const replica = await scan(database);
  if (!replica) return false;
  const base = await writeBase(database, replica.base, noted.epoch, at);
  return putRead(database, noted, base, isNewFeed);
}
