/**
 * Compares all users with what lists are answered from, beside writers, folds and merges: the users are read anew, and both they and the stored
 * base are brought up to one journal. A difference then is one. With `repair` the users who were read take the place of the base. A restore and
 * a bulk load take the same way. A process may die at any step: what it leaves is swept with the parts of the next base.
 */
import { unavailable } from '../../lib/ground/index.ts';
import { createRepair, readHead } from '../../lib/replica/index.ts';
import { type Database, isUser, toUser } from '../../lib/users/database.ts';
import { type Difference, differencesOf } from './compare.ts';
import { compareChanges } from './compareChanges.ts';
import { forgetLaterChanges } from './restored.ts';

/** The result of a verification: ids and names of fields, but no values. */
export interface Report {
  users: number;
  /** The users whom lists have otherwise than the table. */
  differences: readonly Difference[];
  /** Changes that are kept. */
  changes: number;
  wrongChanges: number;
  /** Whether lists come from an index: then their users were not compared. */
  isIndexed: boolean;
  /** Whether there is no base of the users that are there, or it does not hold: then nobody was compared. */
  isBroken: boolean;
  repaired: boolean;
}

export const isAllRight = ({ differences, wrongChanges, isBroken, repaired }: Report): boolean =>
  repaired || (differences.length === 0 && wrongChanges === 0 && !isBroken);

export interface VerifyOptions {
  repair?: boolean;
  /** For restored tables, which must not serve yet: forgets the journal with its head, and repairs. No fold may be under way. */
  restored?: boolean;
  /** Puts the users in place of the base even if nothing differs. */
  always?: boolean;
  /** Gets how many users have been read. */
  onProgress?: (users: number) => void;
}

/**
 * Where a head was lost, the fold makes the next one: it alone knows in how many parts others write.
 *
 * @throws {ServiceError} 503 when there is no head, and when a merge or another repair came in between
 */
export async function verify(database: Database, options: VerifyOptions = {}): Promise<Report> {
  const { restored = false, always = false, onProgress = () => {} } = options;
  const { repair = restored || always } = options;
  const stored = createRepair(database);
  const head = restored ? await stored.begin(await stored.forgetJournal()) : await readHead(database);
  if (!head) throw unavailable('There is no head of the journal: the fold makes one within a minute');
  const isIndexed = head.base?.indexed !== undefined;
  const hasBase = !isIndexed && (await stored.hasBase(head));
  const versions = new Map<number, number>();
  const replica = await stored.scan((items) => {
    for (const { id, version } of items.filter(isUser).map(toUser)) versions.set(id, version);
    onProgress(versions.size);
  });
  const found = hasBase ? await stored.beside(head, replica) : undefined;
  const isWhole = isIndexed || found !== undefined;
  const differences = found ? differencesOf(found.stored, found.other) : [];
  if (restored) await forgetLaterChanges(database, versions);
  const entries = await stored.entries();
  const { changes, wrong: wrongChanges } = await compareChanges(database, head, versions, entries);
  const isBroken = !isWhole && !restored && (head.base !== undefined || replica.total > 0);
  const isWrong = !isWhole || differences.length > 0 || wrongChanges > 0;
  const repaired = always || (repair && isWrong);
  // Changes that are lost cannot be made again. Followers of the feed learn that they must read all users again.
  if (repaired && !(await stored.rebuild(head, replica, wrongChanges > 0)))
    throw unavailable('A merge, or another repair, came in between: try again');
  return { users: versions.size, differences, changes, wrongChanges, isIndexed, isBroken, repaired };
}
