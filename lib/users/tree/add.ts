/** Adds a batch of changes to the nodes of maps. */
import { fault } from '../../errors.ts';
import { callsAtOnce, chunksOf, inParallel } from '../../parallel.ts';
import { compareCodePoints } from '../text.ts';
import type { NodeCache } from './cache.ts';
import { readFloor, readFloorToWrite } from './nodes.ts';
import { pack, unpack } from './pack.ts';
import { addDeltas, type Delta, isBound, type Row, trim } from './rows.ts';
import { FIRST_BOUND, type Node, partitionOf, type RangesMap, type Tree, type TreeMap } from './tree.ts';
import { MAX_PARTS, type NodeWrite, write, writesOf } from './write.ts';

export interface Addition {
  map: TreeMap;
  deltas: readonly Delta[];
}

/** The changes of one node. */
interface Task extends Addition {
  node: Node | undefined;
}

const PARALLEL_MAPS = 16;

/** As many nodes as one call writes: they are packed while others are written. */
const NODES_AT_ONCE = 25;
const PARALLEL_WRITES = 8;

/** By key, the last first. */
const fromLast = ({ deltas, ...rest }: Addition): Addition => ({
  ...rest,
  deltas: deltas.toSorted((a, b) => compareCodePoints(b.key, a.key)),
});

/** How many nodes to read before the one that is needed: with many changes, others need them. */
const aheadFor = (changes: number): number => Math.min(64, Math.ceil(changes / 4));

/** Assigns changes to nodes. From the last change, so that each node is read once and the next node is not needed. */
async function locate(tree: Tree, cache: NodeCache, { deltas, ...rest }: Addition, isAgain: boolean): Promise<Task[]> {
  const { name } = rest.map;
  const tasks: Task[] = [];
  for (let next = 0; next < deltas.length; ) {
    const at = deltas[next]?.key ?? '';
    let node = cache.floor(partitionOf(tree.generation, name), at);
    if (!node && isAgain) node = await readFloor(tree, name, at);
    if (!node) {
      const [floor, ...others] = await readFloorToWrite(tree, name, at, aheadFor(deltas.length - next));
      for (const other of others) cache.keep(other);
      node = floor;
    }
    const bound = node?.sk ?? FIRST_BOUND;
    let end = next;
    while (end < deltas.length && compareCodePoints(deltas[end]?.key ?? '', bound) >= 0) end++;
    if (end === next) throw fault(`A node of ${name} does not hold what lies above its bound`);
    tasks.push({ ...rest, node, deltas: deltas.slice(next, end) });
    next = end;
  }
  return tasks;
}

/** DynamoDB writes at most 4 MB in one transaction, and one partition serves a megabyte a second. */
const MOST_ADDED_BYTES = 200_000;

/**
 * A node that is to get a great deal, cut where equal shares of it begin. The parts have its epoch, so each gets its share by
 * itself. None for other nodes.
 */
function cutFor(tree: Tree, { map, node: read, deltas }: Task): NodeWrite[] {
  const bytes = deltas.reduce((sum, { key, bucket }) => sum + Buffer.byteLength(key + bucket), 0);
  if (map.startOf || bytes < MOST_ADDED_BYTES) return [];
  const pk = partitionOf(tree.generation, map.name);
  const whole: Node = read ?? { pk, sk: FIRST_BOUND, epoch: 0, revision: 0, data: pack([]) };
  const share = Math.ceil(deltas.length / Math.min(MAX_PARTS, Math.ceil(bytes / MOST_ADDED_BYTES)));
  const keys = deltas.filter((_, i) => (i + 1) % share === 0).map(({ key }) => key);
  const bounds = [...new Set(keys.reverse())].filter((key) => isBound(key) && compareCodePoints(key, whole.sk) > 0);
  const rows = unpack(whole.data);
  return [whole.sk, ...bounds].map((sk, i) => {
    const end = bounds[i] ?? whole.end;
    const own = trim(rows, end).filter(({ key }) => i === 0 || compareCodePoints(key, sk) >= 0);
    const revision = i === 0 ? whole.revision + 1 : 1;
    return { node: { ...whole, sk, end, revision, data: pack(own) }, read: i === 0 ? read : undefined };
  });
}

/** The rows of a node, without those of lists that have no users any more: their keys are values that nobody has. */
const withoutLeftOvers = (rows: readonly Row[], end: string | undefined, startOf: RangesMap['startOf']): Row[] =>
  rows.filter(({ key, counts }, i) => {
    const next = rows[i + 1]?.key ?? end;
    const isAlone = startOf(key) === key && (next === undefined || startOf(next) !== key);
    // The first row of a map has the key of no value.
    return key === FIRST_BOUND || !isAlone || counts.size > 0;
  });

/** What is written for the changes of a node, and its rows that have changed; undefined if it is cut for the changes first. */
interface Prepared {
  task: Task;
  parts: readonly NodeWrite[];
  changed: readonly Row[] | undefined;
}

function prepare(tree: Tree, epoch: number, task: Task): Prepared {
  const { map, node, deltas } = task;
  const cut = cutFor(tree, task);
  if (cut.length > 1) return { task, parts: cut, changed: undefined };
  const before = node ? unpack(node.data) : [];
  const all = addDeltas(before, deltas, map.startOf);
  const rows = map.startOf ? withoutLeftOvers(all, node?.end, map.startOf) : all;
  const place = { pk: partitionOf(tree.generation, map.name), sk: node?.sk ?? FIRST_BOUND, end: node?.end, epoch };
  const known = new Set(before);
  return { task, parts: writesOf(tree, place, rows, node), changed: rows.filter((row) => !known.has(row)) };
}

/** A row that a batch has changed, in a map of ranges. */
export interface ChangedRow {
  map: TreeMap;
  row: Row;
}

/** @returns what is left: the changes of nodes that were cut for them, or that another writer has changed */
async function addToNodes(tree: Tree, cache: NodeCache, epoch: number, tasks: readonly Task[], changes: ChangedRow[]) {
  const due = tasks.filter(({ node }) => !node || node.epoch < epoch);
  const prepared = due.map((task) => prepare(tree, epoch, task));
  for (const { node } of due) if (node) cache.forget(node);
  const written = await write(
    tree,
    prepared.map(({ parts }) => parts),
  );
  return prepared.flatMap(({ task, parts, changed }) => {
    if (!written.has(parts)) return [task];
    for (const { node } of parts) cache.keep(node);
    if (!changed) return [task];
    if (task.map.startOf) changes.push(...changed.map((row) => ({ map: task.map, row })));
    return [];
  });
}

/** What is left of a map is looked for together: its nodes may be one now, in an old state that the cache has. */
const byMap = (tasks: readonly Task[]): Addition[] =>
  [...Map.groupBy(tasks, ({ map }) => map)].map(([map, some]) => ({
    map,
    deltas: some.flatMap(({ deltas }) => deltas),
  }));

/**
 * Adds a batch to some maps. Any fold may repeat it: a node with the epoch of the batch, or a later one, has it already.
 *
 * @returns the rows of maps of ranges that this call has changed
 */
export async function addBatch(
  tree: Tree,
  cache: NodeCache,
  epoch: number,
  additions: readonly Addition[],
): Promise<ChangedRow[]> {
  const changes: ChangedRow[] = [];
  let left = additions.map(fromLast);
  for (let isAgain = false; left.length > 0; isAgain = true) {
    const tasks = (await inParallel(left, PARALLEL_MAPS, (each) => locate(tree, cache, each, isAgain))).flat();
    const chunks = chunksOf(tasks, NODES_AT_ONCE);
    const atOnce = callsAtOnce(chunks.length, PARALLEL_WRITES);
    left = byMap((await inParallel(chunks, atOnce, (some) => addToNodes(tree, cache, epoch, some, changes))).flat());
  }
  return changes;
}
