/**
 * Compares all statistics with the users, and builds them again if they differ: as another generation next to the present one,
 * whose place it then takes in one write. A restore, a bulk load and an earlier format take the same way. The service keeps
 * running, and the journal grows.
 *
 * A process may die at any step. Before the switch nobody reads the new generation, after it nobody needs the old one for longer
 * than a request lasts; what is left of either is swept by the next verification. Of two rebuilds at once, the second to switch is refused.
 */
import { setImmediate } from 'node:timers/promises';
import { deleteItems } from '../../dynamodb/batches.ts';
import { scanItems } from '../../dynamodb/scan.ts';
import { unavailable } from '../../errors.ts';
import { inParallel } from '../../parallel.ts';
import { LETTER_MAPS } from '../counts/letters.ts';
import { treeOf } from '../counts/maps.ts';
import { countsOfUsers, LEVELS, mapOf, placeOf } from '../counts/segments.ts';
import { TOTALS_MAPS } from '../counts/totals.ts';
import type { Database } from '../database.ts';
import { addModulo, hash48 } from '../hash.ts';
import { USERS_INDEXES } from '../indexes.ts';
import { JOURNAL } from '../journal/entry.ts';
import { FORMAT, type Head, isHeld, isMade, newGeneration, nextFeed, release, switchTo } from '../journal/head.ts';
import { readHead, readItems } from '../journal/items.ts';
import { beginStage, requireFormat } from '../journal/newStage.ts';
import { isWithin } from '../lists.ts';
import { MapTorn, WHOLE_MAP } from '../tree/nodes.ts';
import { AT_REST, readRows } from '../tree/read.ts';
import type { Row } from '../tree/rows.ts';
import { generationOf, type Tree, type TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { buildGeneration, countedMaps, listsIn, type Members } from './build.ts';
import { isEqual, saysTheSame } from './compare.ts';
import { compareChanges } from './compareChanges.ts';
import { readFoldedUsers } from './folded.ts';
import { withFoldHeld } from './hold.ts';
import { forgetJournal, forgetLaterChanges } from './restored.ts';
import { KEEP_OLD_MS, type Swept, sweep } from './sweep.ts';

/** The progress of a verification. */
export interface Progress {
  what: 'users' | 'maps' | 'lists' | 'rebuild';
  done: number;
  /** An estimate, because users are counted while they are read. */
  total: number;
}

/** The result of a verification: only numbers, no user data. */
export interface Report {
  users: number;
  /** Maps of counts, and lists with their segments. */
  maps: number;
  lists: number;
  /** How many of them differ from the users. */
  wrongTotal: boolean;
  wrongMaps: number;
  wrongLists: number;
  /** What is kept of changes. */
  changes: number;
  wrongChanges: number;
  repaired: boolean;
  /** Other statistics that were stored. */
  swept: Swept;
}

export const isAllRight = ({ wrongTotal, wrongMaps, wrongLists, wrongChanges, repaired }: Report): boolean =>
  repaired || !(wrongTotal || wrongMaps > 0 || wrongLists > 0 || wrongChanges > 0);

export interface VerifyOptions {
  repair?: boolean;
  /**
   * For restored tables, which must not serve yet, and for a stage that has lost its head: forgets the journal, and repairs. No fold may
   * be under way. Without a head none begins, and one that had begun ends within a minute. Users can be written meanwhile.
   */
  restored?: boolean;
  /** Builds all statistics again even if they are right. */
  always?: boolean;
  /** How long the statistics that are replaced stay for requests that read them, in milliseconds. */
  keepOldMs?: number;
  onProgress?: (progress: Progress) => void;
}

const PARALLEL_MAPS = 4;

type OnProgress = NonNullable<VerifyOptions['onProgress']>;

/** D10. The maps of totals, letters and names that a generation has. */
async function storedMaps({ dynamo, runtime, table, generation }: Tree): Promise<string[]> {
  const maps = new Set([...TOTALS_MAPS, ...LETTER_MAPS].map(({ name }) => name));
  await scanItems({ dynamo, runtime }, table, (items) => {
    for (const pk of items.map((item) => String(item.pk))) {
      const name = pk.slice(pk.indexOf(':') + 1);
      if (generationOf(pk) === generation && name.startsWith('names:')) maps.add(name);
    }
  });
  return [...maps];
}

/** The rows of a map; undefined when a node is missing: while the fold is held, nobody splits nodes. */
async function readMap(tree: Tree, map: TreeMap): Promise<Row[] | undefined> {
  try {
    return await readRows(tree, map, WHOLE_MAP, AT_REST);
  } catch (error) {
    if (error instanceof MapTorn) return undefined;
    throw error;
  }
}

/** @returns how many maps there are, and how many are wrong */
async function compareMaps(tree: Tree, users: readonly User[], onProgress: OnProgress) {
  const expected = await countedMaps(users);
  const maps = [...new Set([...expected.keys(), ...(await storedMaps(tree))])];
  let [done, wrong] = [0, 0];
  await inParallel(maps, PARALLEL_MAPS, async (map) => {
    const rows = await readMap(tree, { name: map });
    if (!rows || !isEqual(rows, expected.get(map)?.rows ?? [])) wrong++;
    onProgress({ what: 'maps', done: ++done, total: maps.length });
  });
  return { maps: maps.length, wrong };
}

/** The lists whose segments, or their sums, are not what they should be. */
async function wrongLists(
  tree: Tree,
  lists: readonly Members[],
  index: Members['list']['index'],
): Promise<Set<string>> {
  const members = new Map(lists.map((each) => [each.list.partition, each]));
  const wrong = new Set<string>();
  for (const level of LEVELS) {
    const rows = await readMap(tree, mapOf(level, index));
    if (!rows) return new Set(members.keys());
    const places = rows.map(({ key }) => placeOf(index, key));
    const seen = new Map<string, number>();
    for (const [i, row] of rows.entries()) {
      const { list, from } = places[i] ?? placeOf(index, row.key);
      const next = places[i + 1];
      const to = next?.list.partition === list.partition ? next.from : undefined;
      const all = members.get(list.partition)?.users ?? [];
      const first = seen.get(list.partition) ?? 0;
      const end = to === undefined ? all.length : all.findIndex(({ key }, at) => at >= first && !isWithin({ to }, key));
      const own = all.slice(first, end < 0 ? all.length : end);
      // The first segment of a list has no lower bound.
      const isStray = !seen.has(list.partition) && from !== undefined;
      seen.set(list.partition, first + own.length);
      if (
        isStray ||
        !saysTheSame(
          row,
          countsOfUsers(
            index,
            own.map(({ user }) => user),
          ),
        )
      )
        wrong.add(list.partition);
    }
    for (const { list, users } of lists)
      if ((seen.get(list.partition) ?? -1) !== users.length) wrong.add(list.partition);
  }
  return wrong;
}

async function compareLists(tree: Tree, head: Head, users: readonly User[], onProgress: OnProgress) {
  let [lists, wrong] = [0, 0];
  for (const [i, index] of USERS_INDEXES.entries()) {
    // A hold has to be renewed.
    await setImmediate();
    const ofIndex = listsIn(index, users);
    lists += ofIndex.length;
    wrong += head.indexes.includes(index.name) ? (await wrongLists(tree, ofIndex, index)).size : ofIndex.length;
    onProgress({ what: 'lists', done: i + 1, total: USERS_INDEXES.length });
  }
  return { lists, wrong };
}

/** Builds all statistics again, and makes them the present ones with a new tag, so that clients read lists again. */
async function rebuild(
  database: Database,
  head: Head,
  users: readonly User[],
  feed: string,
  onProgress: OnProgress,
): Promise<void> {
  const generation = newGeneration(database, head);
  const tree = treeOf(database, generation);
  await buildGeneration(database, tree, head.epoch + 1, users, (done, total) =>
    onProgress({ what: 'rebuild', done, total }),
  );
  const tag = addModulo(head.tag, hash48(`generation ${generation}`));
  const isSwitched = await switchTo(database, head, { generation, total: users.length, tag, feed });
  // An attempt whose response was lost may have switched.
  if (!isSwitched && (await readHead(database)).generation !== generation) throw cameBetween();
}

const cameBetween = () => unavailable('A fold, or another repair, came in between: try again');

/** The statistics of an earlier format are replaced whole: nobody needs to finish a batch that was being added to them. */
async function endEarlierBatch(database: Database): Promise<void> {
  const { head } = await readItems(database);
  if (head.format === undefined || head.format === FORMAT || head.batch.length === 0) return;
  const keys = head.batch.map((sk) => ({ pk: JOURNAL, sk }));
  await deleteItems(database, database.tables.directory, keys);
  await release(database, head.epoch);
}

/**
 * Compares all statistics with the users while the service runs: the fold is held, and the journal is rolled back. With
 * `repair` it builds them again if they differ, or have an earlier format.
 *
 * @throws {ServiceError} 503 when the tables have users and no statistics, unless they are said to be restored
 */
export async function verify(database: Database, options: VerifyOptions = {}): Promise<Report> {
  const { restored = false, always = false, onProgress = () => {} } = options;
  // Lists are refused while tables are said to be restored: nobody reads their statistics.
  const { repair = restored || always, keepOldMs = restored ? 0 : KEEP_OLD_MS } = options;
  const { head: first } = await readItems(database);
  const isAlone = !isHeld(first, database.runtime.now());
  if (restored) await forgetJournal(database);
  else if (!repair) requireFormat(database, first);
  if (!restored && (first.format === undefined || first.format === FORMAT)) await beginStage(database);
  if (repair) await endEarlierBatch(database);
  const report = await withFoldHeld(database, async () => {
    // First: if this process freezes while it reads users, and a fold runs, the switch is refused.
    const { head } = await readItems(database);
    const users = await readFoldedUsers(database, (done) => onProgress({ what: 'users', done, total: done }));
    const tree = treeOf(database, head.generation);
    const maps = isMade(head) ? await compareMaps(tree, users, onProgress) : { maps: 0, wrong: 0 };
    const lists = isMade(head) ? await compareLists(tree, head, users, onProgress) : { lists: 0, wrong: 0 };
    const wrongTotal = head.total !== users.length;
    if (restored) await forgetLaterChanges(database, users);
    const changes = await compareChanges(database, head, users);
    const isWrong = !isMade(head) || wrongTotal || maps.wrong > 0 || lists.wrong > 0 || changes.wrong > 0;
    // The hold may have ended early: another process may have let it go, and clocks differ.
    if (isWrong && !repair && (await readHead(database)).epoch !== head.epoch) throw cameBetween();
    const repaired = always || (repair && isWrong);
    // Changes that are lost cannot be made again. Who follows the feed learns that it must read all users again.
    const feed = nextFeed(database, head, changes.wrong === 0);
    if (repaired) await rebuild(database, head, users, feed, onProgress);
    return {
      users: users.length,
      maps: maps.maps,
      lists: lists.lists,
      wrongTotal,
      wrongMaps: maps.wrong,
      wrongLists: lists.wrong,
      changes: changes.changes,
      wrongChanges: changes.wrong,
      repaired,
    };
  });
  const swept = await sweep(database, { keepOldMs, all: restored, isAlone });
  return { ...report, swept };
}
