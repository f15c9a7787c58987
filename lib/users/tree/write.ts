import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { withRetries } from '../../dynamodb/retry.ts';
import { executeStatements, insertOf, type Statement } from '../../dynamodb/statements.ts';
import { transact } from '../../dynamodb/transact.ts';
import { fault } from '../../errors.ts';
import { callsAtOnce, inParallel } from '../../parallel.ts';
import { compareCodePoints } from '../text.ts';
import type { NodeCache } from './cache.ts';
import { readFloor, readFloorToWrite } from './nodes.ts';
import { pack, unpack } from './pack.ts';
import { addDeltas, cut, type Delta, isBound, isLeftOver, type Ranges, type Row, trim } from './rows.ts';
import { FIRST_BOUND, type Node, partitionOf, type Tree, type TreeMap } from './tree.ts';

/** A node to write, and its state that was read; undefined for a node that must be missing. */
interface NodeWrite {
  node: Node;
  read: Node | undefined;
}

/** The nodes that take the place of one are written in one transaction, which has at most 100 items. */
const MAX_PARTS = 64;

const isSmall =
  ({ nodeBytes }: Tree) =>
  (rows: readonly Row[]): boolean =>
    pack(rows).length <= nodeBytes;

/** What rows make of a node: itself, or several nodes of its epoch when they have grown. */
function writesOf(
  tree: Tree,
  place: Pick<Node, 'pk' | 'sk' | 'end' | 'epoch'>,
  rows: readonly Row[],
  read: Node | undefined,
): NodeWrite[] {
  const revision = (read?.revision ?? 0) + 1;
  const data = pack(rows);
  const all = data.length <= tree.nodeBytes ? [] : cut(place.sk, rows, isSmall(tree));
  if (all.length < 2) return [{ node: { ...place, revision, data }, read }];
  const step = Math.ceil(all.length / MAX_PARTS);
  const parts = Array.from({ length: Math.ceil(all.length / step) }, (_, i) => all.slice(i * step, (i + 1) * step));
  return parts.map((some, i) => ({
    node: {
      ...place,
      sk: some[0]?.from ?? place.sk,
      end: parts[i + 1]?.[0]?.from ?? place.end,
      revision: i === 0 ? revision : 1,
      data: pack(some.flatMap((part) => part.rows)),
    },
    read: i === 0 ? read : undefined,
  }));
}

/** A write of a node by itself: its bounds stay. */
function statementOf(table: string, { node, read }: NodeWrite): Statement {
  const { pk, sk, end, epoch, revision, data } = node;
  if (read)
    return {
      Statement: `UPDATE "${table}" SET "epoch" = ?, "revision" = ?, "data" = ? WHERE "pk" = ? AND "sk" = ? AND "revision" = ?`,
      Parameters: [epoch, revision, data, pk, sk, read.revision],
    };
  return insertOf(table, { pk, sk, epoch, revision, data, end });
}

type Put = NonNullable<NonNullable<TransactWriteCommandInput['TransactItems']>[number]['Put']>;

function putOf(TableName: string, { node: Item, read }: NodeWrite): Put {
  const condition = read
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  return { TableName, Item, ...condition };
}

/**
 * Writes what takes the place of some nodes, each if it is still the one that was read, or is still missing. A node that is
 * split is written with all of its parts, or not at all.
 *
 * @returns for each, whether it was written. Not when another writer was faster, or when a write is repeated because its response
 *   was lost
 */
async function write(tree: Tree, writes: readonly NodeWrite[][]): Promise<boolean[]> {
  const single = writes.flatMap((parts) => (parts.length === 1 ? parts : []));
  const [outcomes, splits] = await Promise.all([
    executeStatements(
      tree,
      single.map((each) => statementOf(tree.table, each)),
    ),
    inParallel(
      writes.filter(({ length }) => length > 1),
      PARALLEL_SPLITS,
      async (parts) =>
        (await transact(
          tree,
          parts.map((each) => ({ Put: putOf(tree.table, each) })),
        )) === 'committed',
    ),
  ]);
  return writes.map(({ length }) => Boolean((length === 1 ? outcomes : splits).shift()));
}

const PARALLEL_SPLITS = 4;

/** Splits a node that has grown, at any time: readers get the same rows from its parts, which have its epoch. */
export async function splitNode(tree: Tree, node: Node): Promise<void> {
  const { pk, sk, end, epoch } = node;
  const parts = writesOf(tree, { pk, sk, end, epoch }, unpack(node.data), node);
  if (parts.length > 1) await write(tree, [parts]);
}

/**
 * Replaces the rows of a node, unless another writer has changed it. It is split after that: whoever reads its old state and a
 * new part of it must not find a row in the one and what became of it in the other.
 *
 * @returns whether they were written
 */
export async function replaceRows(tree: Tree, read: Node, rows: readonly Row[]): Promise<boolean> {
  const node = { ...read, revision: read.revision + 1, data: pack(rows) };
  const [isWritten = false] = await write(tree, [[{ node, read }]]);
  if (isWritten) await splitNode(tree, node);
  return isWritten;
}

/** The nodes of a new map. */
export function newNodes(tree: Tree, { name }: TreeMap, epoch: number, rows: readonly Row[]): Node[] {
  const parts = cutAll(tree, rows);
  return parts.map(({ from, rows: own }, i) => ({
    pk: partitionOf(tree.generation, name),
    sk: from,
    end: parts[i + 1]?.from,
    epoch,
    revision: 1,
    data: pack(own),
  }));
}

/**
 * Writes nodes of a generation that nobody reads yet, except nodes that are there. An attempt may arrive late, when the
 * generation is the present one and a fold has written the node: then it is refused.
 */
export async function insertNodes(tree: Tree, nodes: readonly Node[]): Promise<void> {
  const starts = Array.from({ length: Math.ceil(nodes.length / NODES_AT_ONCE) }, (_, i) => i * NODES_AT_ONCE);
  await inParallel(starts, PARALLEL_WRITES, (start) => {
    const some = nodes
      .slice(start, start + NODES_AT_ONCE)
      .map((node) => statementOf(tree.table, { node, read: undefined }));
    return withRetries(tree, () => executeStatements(tree, some));
  });
}

/** About as many rows as a few nodes have: halving all rows of a large map would pack each of them many times. */
const ROWS_AT_ONCE = 256;

function cutAll(tree: Tree, rows: readonly Row[]) {
  const starts: number[] = [];
  for (const [i, { key }] of rows.entries())
    if (i === 0 || (i >= (starts.at(-1) ?? 0) + ROWS_AT_ONCE && isBound(key))) starts.push(i);
  return starts.flatMap((start, i) => {
    const some = rows.slice(start, starts[i + 1]);
    return cut(start === 0 ? FIRST_BOUND : (some[0]?.key ?? ''), some, isSmall(tree));
  });
}

/** What a batch adds to a map. */
export interface Addition {
  map: TreeMap;
  deltas: readonly Delta[];
  /** Called for each changed row of a map of ranges. */
  onRow?: (row: Row) => void;
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
  if (map.ranges || bytes < MOST_ADDED_BYTES) return [];
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

/** The rows of a node. Rows that have just become left over are dropped. */
function withoutLeftOvers(before: readonly Row[], rows: readonly Row[], end: string | undefined, ranges?: Ranges) {
  if (!ranges) return rows;
  const unchanged = new Set(before);
  // The first row of a map has the key of no value.
  const isKept = (row: Row) => unchanged.has(row) || row.key === FIRST_BOUND;
  return rows.filter((row, i) => isKept(row) || !isLeftOver(row, rows[i + 1]?.key ?? end, ranges));
}

/** @returns for each node, whether it has its changes; otherwise it was cut for them, or another writer has changed it */
async function addToNodes(tree: Tree, cache: NodeCache, epoch: number, tasks: readonly Task[]): Promise<boolean[]> {
  const prepared = tasks.map((task) => {
    const { map, node, deltas } = task;
    if (node && node.epoch >= epoch) return undefined;
    if (node) cache.forget(node);
    const parts = cutFor(tree, task);
    if (parts.length > 1) return { writes: parts };
    const before = node ? unpack(node.data) : [];
    const rows = withoutLeftOvers(before, addDeltas(before, deltas, map.ranges), node?.end, map.ranges);
    const place = { pk: partitionOf(tree.generation, map.name), sk: node?.sk ?? FIRST_BOUND, end: node?.end, epoch };
    return { writes: writesOf(tree, place, rows, node), added: { before, rows } };
  });
  const outcomes = await write(
    tree,
    prepared.flatMap((each) => (each ? [each.writes] : [])),
  );
  return prepared.map((each, i) => {
    if (!each) return true;
    if (!outcomes.shift()) return false;
    for (const { node } of each.writes) cache.keep(node);
    if (!each.added) return false;
    const { before, rows } = each.added;
    const { onRow } = tasks[i] as Task;
    const known = new Set(before);
    if (onRow) for (const row of rows) if (!known.has(row)) onRow(row);
    return true;
  });
}

/** Adds a batch to some maps. Any fold may repeat it: a node with the epoch of the batch, or a later one, has it already. */
export async function addBatch(
  tree: Tree,
  cache: NodeCache,
  epoch: number,
  additions: readonly Addition[],
): Promise<void> {
  let left = additions.map(fromLast);
  for (let isAgain = false; left.length > 0; isAgain = true) {
    const tasks = (await inParallel(left, PARALLEL_MAPS, (each) => locate(tree, cache, each, isAgain))).flat();
    const starts = Array.from({ length: Math.ceil(tasks.length / NODES_AT_ONCE) }, (_, i) => i * NODES_AT_ONCE);
    const outcomes = await inParallel(starts, callsAtOnce(starts.length, PARALLEL_WRITES), (start) =>
      addToNodes(tree, cache, epoch, tasks.slice(start, start + NODES_AT_ONCE)),
    );
    const isDone = outcomes.flat();
    left = tasks.filter((_, i) => !isDone[i]);
  }
}
