/**
 * Compares all statistics with the users, and builds them again if they differ: as another generation next to the present one,
 * whose place it then takes in one write. A restore, a bulk load and an earlier format take the same way. The service keeps
 * running, and the journal grows.
 *
 * A process may die at any step. Before the switch nobody reads the new generation, after it nobody needs the old one for longer
 * than a request lasts; what is left of either is swept by the next verification. Of two rebuilds at once, the second to switch is refused.
 */
import { unavailable } from '../../errors.ts';
import { treeOf } from '../counts/maps.ts';
import { bucketsFor } from '../counts/segments.ts';
import type { Database } from '../database.ts';
import { addModulo, hash48 } from '../hash.ts';
import { type Head, newGeneration, nextFeed, switchTo } from '../journal/head.ts';
import { readHead } from '../journal/items.ts';
import { beginStage } from '../journal/newStage.ts';
import type { User } from '../user.ts';
import { buildGeneration } from './build.ts';
import { checkMaps } from './check.ts';
import { compareChanges } from './compareChanges.ts';
import { readFoldedUsers } from './folded.ts';
import { withFoldHeld } from './hold.ts';
import { forgetJournal, forgetLaterChanges } from './restored.ts';
import { KEEP_OLD_MS, type Swept, sweep } from './sweep.ts';

/** How many there are of what is counted, and how many there will be. Users are counted while they are read. */
export type OnProgress = (what: 'users read' | 'maps compared' | 'parts built', done: number, total?: number) => void;

/** The result of a verification: no user data. */
export interface Report {
  users: number;
  maps: number;
  /** The names of maps that differ from the users, and `total` for the total of all users. */
  wrong: readonly string[];
  /** What is kept of changes. */
  changes: number;
  wrongChanges: number;
  repaired: boolean;
  /** Other statistics that were stored. */
  swept: Swept;
}

export const isAllRight = ({ wrong, wrongChanges, repaired }: Report): boolean =>
  repaired || (wrong.length === 0 && wrongChanges === 0);

export interface VerifyOptions {
  repair?: boolean;
  /**
   * For restored tables, which must not serve yet, and for a stage that has lost its head, or has one of an earlier format: forgets the
   * journal, and repairs. No fold may be under way. Then none begins, and one that had begun ends within a minute. Users can be written
   * meanwhile.
   */
  restored?: boolean;
  /** Builds all statistics again even if they are right. */
  always?: boolean;
  /** How long the statistics that are replaced stay for requests that read them, in milliseconds. */
  keepOldMs?: number;
  onProgress?: OnProgress;
}

/** Builds all statistics again, and makes them the present ones with a new tag, so that clients read lists again. */
async function rebuild(
  database: Database,
  head: Head,
  users: readonly User[],
  feed: string,
  tell: OnProgress,
): Promise<void> {
  const generation = newGeneration(database, head);
  const tree = treeOf(database, generation);
  const buckets = bucketsFor(database.sizes, users);
  await buildGeneration(database, tree, head.epoch + 1, users, buckets, (...done) => tell('parts built', ...done));
  const tag = addModulo(head.tag, hash48(`generation ${generation}`));
  const isSwitched = await switchTo(database, head, { generation, buckets, total: users.length, tag, feed });
  // An attempt whose response was lost may have switched.
  if (!isSwitched && (await readHead(database)).generation !== generation) throw cameBetween();
}

const cameBetween = () => unavailable('A fold, or another repair, came in between: try again');

/**
 * Compares all statistics with the users while the service runs: the fold is held, and the journal is rolled back. With
 * `repair` it builds them again if they differ.
 *
 * @throws {ServiceError} 503 when the tables have users and no statistics, unless they are said to be restored
 */
export async function verify(database: Database, options: VerifyOptions = {}): Promise<Report> {
  const { restored = false, always = false, onProgress = () => {} } = options;
  // Lists are refused while tables are said to be restored: nobody reads their statistics.
  const { repair = restored || always, keepOldMs = restored ? 0 : KEEP_OLD_MS } = options;
  if (restored) await forgetJournal(database);
  else await beginStage(database);
  const report = await withFoldHeld(database, async (head) => {
    // First: if this process freezes while it reads users, and a fold runs, the switch is refused.
    const users = await readFoldedUsers(database, (done) => onProgress('users read', done));
    const tree = treeOf(database, head.generation);
    const { maps, wrong } = head.isMade
      ? await checkMaps(tree, head, users, (...done) => onProgress('maps compared', ...done))
      : { maps: 0, wrong: [] };
    if (restored) await forgetLaterChanges(database, users);
    const { changes, wrong: wrongChanges } = await compareChanges(database, head, users);
    const isWrong = !head.isMade || wrong.length > 0 || wrongChanges > 0;
    // The hold may have ended early: another process may have let it go, and clocks differ.
    if (isWrong && !repair && (await readHead(database)).epoch !== head.epoch) throw cameBetween();
    const repaired = always || (repair && isWrong);
    // Changes that are lost cannot be made again. Who follows the feed learns that it must read all users again.
    const feed = nextFeed(database, head, wrongChanges === 0 && head.isMade);
    if (repaired) await rebuild(database, head, users, feed, onProgress);
    return { users: users.length, maps, wrong, changes, wrongChanges, repaired };
  });
  const swept = await sweep(database, keepOldMs, restored);
  return { ...report, swept };
}
