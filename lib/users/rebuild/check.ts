/**
 * Compares statistics with the users: what all users add to a map is taken from it again, and nothing must be left. So it says which map
 * is wrong.
 */
import { setImmediate } from 'node:timers/promises';
import { scanItems } from '../../dynamodb/scan.ts';
import { inParallel } from '../../parallel.ts';
import { LETTER_MAPS } from '../counts/letters.ts';
import { LEVELS, mapOf, segmentDeltas } from '../counts/segments.ts';
import { TOTALS_MAPS } from '../counts/totals.ts';
import { USERS_INDEXES } from '../indexes.ts';
import type { Head } from '../journal/head.ts';
import { compareCodePoints } from '../text.ts';
import { MapTorn, WHOLE_MAP } from '../tree/nodes.ts';
import { AT_REST, readRows } from '../tree/read.ts';
import { addDeltas, type Delta, type Row } from '../tree/rows.ts';
import { generationOf, type Tree, type TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { countedMaps } from './build.ts';

const PARALLEL_MAPS = 4;

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

const areInOrder = (rows: readonly Row[]): boolean =>
  rows.every(({ key }, i) => i === 0 || compareCodePoints(rows[i - 1]?.key ?? '', key) < 0);

/** @param deltas what takes all users away. False also when a node is missing: while the fold is held, nobody splits nodes */
async function isRight(tree: Tree, map: TreeMap, deltas: readonly Delta[]): Promise<boolean> {
  try {
    const rows = await readRows(tree, map, WHOLE_MAP, AT_REST);
    return areInOrder(rows) && addDeltas(rows, deltas, map.startOf).every(({ counts }) => counts.size === 0);
  } catch (error) {
    if (error instanceof MapTorn) return false;
    throw error;
  }
}

/** @returns how many maps there are, and the names of those that are wrong, and `total` if the total of all users is */
export async function checkMaps(
  tree: Tree,
  { indexes, buckets, total }: Head,
  users: readonly User[],
  onProgress: (done: number, total: number) => void,
): Promise<{ maps: number; wrong: string[] }> {
  const expected = new Map((await countedMaps(users, -1)).map(({ map, deltas }) => [map.name, deltas]));
  const counted = [...new Set([...expected.keys(), ...(await storedMaps(tree))])];
  const wrong = total === users.length ? [] : ['total'];
  const maps = counted.length + LEVELS.length * USERS_INDEXES.length;
  let done = 0;
  async function check(map: TreeMap, deltas: readonly Delta[], isThere = true): Promise<void> {
    if (!isThere || !(await isRight(tree, map, deltas))) wrong.push(map.name);
    onProgress(++done, maps);
  }
  await inParallel(counted, PARALLEL_MAPS, (name) => check({ name }, expected.get(name) ?? []));
  for (const index of USERS_INDEXES) {
    const deltas = users.flatMap((user) => segmentDeltas(index, user, -1, buckets));
    for (const level of LEVELS) {
      // A hold has to be renewed.
      await setImmediate();
      await check(mapOf(level, index), deltas, indexes.includes(index.name));
    }
  }
  return { maps, wrong };
}
