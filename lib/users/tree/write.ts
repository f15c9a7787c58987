import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import { transact } from '../../dynamodb/transact.ts';
import { fault } from '../../errors.ts';
import { inParallel } from '../../parallel.ts';
import { compareCodePoints } from '../text.ts';
import type { NodeCache } from './cache.ts';
import { readFloor, readFloorToWrite } from './nodes.ts';
import { pack, unpack } from './pack.ts';
import { addDeltas, cut, type Delta, joined, positionOf, type Ranges, type Row, trim } from './rows.ts';
import { FIRST_BOUND, type Node, partitionOf, type Tree, type TreeMap } from './tree.ts';

/** The write of a node, if it is still the one that was read, or is still missing. */
function nodePut({ table }: Tree, node: Omit<Node, 'revision' | 'data'>, rows: readonly Row[], read?: Node) {
  const Item: Node = { ...node, revision: (read?.revision ?? 0) + 1, data: pack(rows) };
  const condition = read
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': read.revision } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };
  return { TableName: table, Item, ...condition };
}

/**
 * Writes a node if it is still the one that was read, or is still missing.
 *
 * @returns the node as written; undefined when another writer was faster, or when the SDK repeats the write because its
 *   response was lost
 */
export async function writeNode(
  tree: Tree,
  node: Omit<Node, 'revision' | 'data'>,
  rows: readonly Row[],
  read?: Node,
): Promise<Node | undefined> {
  const put = nodePut(tree, node, rows, read);
  try {
    await tree.dynamo.send(new PutCommand(put));
    return put.Item;
  } catch (error) {
    if (isConditionFailed(error)) return undefined;
    throw error;
  }
}

/** The nodes that come out of one split are written in one transaction, which has at most 100 items. */
const MAX_PARTS = 64;

const isSmall =
  ({ nodeBytes }: Tree) =>
  (rows: readonly Row[]): boolean =>
    pack(rows).length <= nodeBytes;

/**
 * Splits a node that has grown, at any time: readers get the same rows from its parts, which have its epoch.
 *
 * @returns false when it has not grown, or is one part: buckets whose hashes are equal stay together
 */
export async function splitNode(tree: Tree, { name, ranges }: TreeMap, sk: string): Promise<boolean> {
  const node = await readFloor(tree, name, sk);
  if (!node || node.data.length <= tree.nodeBytes) return false;
  const all = cut(node.sk, trim(unpack(node.data), node.end), isSmall(tree), ranges);
  const step = Math.ceil(all.length / MAX_PARTS);
  const parts = Array.from({ length: Math.ceil(all.length / step) }, (_, i) => ({
    from: all[i * step]?.from ?? node.sk,
    rows: joined(all.slice(i * step, (i + 1) * step).flatMap(({ rows }) => rows)),
  }));
  if (parts.length < 2) return false;
  const puts = parts.map(({ from, rows }, i) => {
    const bounds = { pk: node.pk, sk: from, epoch: node.epoch, end: parts[i + 1]?.from ?? node.end };
    return { Put: nodePut(tree, bounds, rows, i === 0 ? node : undefined) };
  });
  await transact(tree, puts);
  return true;
}

/** The nodes of a new map. */
export function newNodes(tree: Tree, { name, ranges }: TreeMap, epoch: number, rows: readonly Row[]): Node[] {
  const parts = cutAll(tree, rows, ranges);
  return parts.map(({ from, rows: own }, i) => ({
    pk: partitionOf(tree.generation, name),
    sk: from,
    end: parts[i + 1]?.from,
    epoch,
    revision: 1,
    data: pack(own),
  }));
}

/** About as many rows as a few nodes have: halving all rows of a large map would pack each of them many times. */
const ROWS_AT_ONCE = 256;

function cutAll(tree: Tree, rows: readonly Row[], ranges: Ranges | undefined) {
  const starts = Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, i) => i * ROWS_AT_ONCE);
  return starts.flatMap((start) => {
    const some = rows.slice(start, start + ROWS_AT_ONCE);
    return cut(start === 0 ? FIRST_BOUND : (some[0]?.key ?? ''), some, isSmall(tree), ranges);
  });
}

/** A change and its position in the map. */
interface Placed extends Delta {
  at: string;
}

/** A larger node is split before more is added: DynamoDB accepts no item above 400 KB. */
const MAX_BYTES_BEFORE_WRITE = 100_000;

const PARALLEL_NODES = 4;

/** A batch that is added to a map. */
export interface Addition {
  map: TreeMap;
  epoch: number;
  deltas: readonly Delta[];
  /** Called for each changed row of a map of ranges. */
  onRow?: (row: Row) => void;
}

/** Assigns changes to nodes. From the last change, so that each node is read once and the next node is not needed. */
async function locate(tree: Tree, cache: NodeCache, map: string, deltas: readonly Placed[], isAgain: boolean) {
  const located: { node: Node | undefined; deltas: readonly Placed[] }[] = [];
  for (let next = 0; next < deltas.length; ) {
    const at = deltas[next]?.at ?? '';
    const known = cache.floor(partitionOf(tree.generation, map), at);
    const node = known ?? (await (isAgain ? readFloor : readFloorToWrite)(tree, map, at));
    const bound = node?.sk ?? FIRST_BOUND;
    let end = next;
    while (end < deltas.length && compareCodePoints(deltas[end]?.at ?? '', bound) >= 0) end++;
    const mine = deltas.slice(next, end);
    if (mine.length === 0) throw fault(`A node of ${map} does not hold what lies above its bound`);
    located.push({ node, deltas: mine });
    next += mine.length;
  }
  return located;
}

/** @returns whether the node has the changes; otherwise another writer has changed it */
async function addToNode(
  tree: Tree,
  cache: NodeCache,
  addition: Addition,
  node: Node | undefined,
  deltas: readonly Placed[],
) {
  const { map, epoch, onRow } = addition;
  if (node && node.epoch >= epoch) return true;
  if (node) cache.forget(node);
  if (node && node.data.length > MAX_BYTES_BEFORE_WRITE && (await splitNode(tree, map, node.sk))) return false;
  const before = node ? trim(unpack(node.data), node.end) : [];
  const rows = addDeltas(before, deltas, map.ranges);
  const bounds = { pk: partitionOf(tree.generation, map.name), sk: node?.sk ?? FIRST_BOUND, end: node?.end, epoch };
  const written = await writeNode(tree, bounds, rows, node);
  if (!written) return false;
  const known = new Set(before);
  if (onRow) for (const row of rows) if (!known.has(row)) onRow(row);
  if (written.data.length > tree.nodeBytes) await splitNode(tree, map, written.sk);
  else cache.keep(written);
  return true;
}

/** Adds a batch to a map. Any fold may repeat it: a node with the epoch of the batch, or a later one, has it already. */
export async function addBatch(tree: Tree, cache: NodeCache, addition: Addition): Promise<void> {
  const { map, deltas } = addition;
  let left: readonly Placed[] = deltas
    .map((delta) => ({ ...delta, at: map.ranges ? delta.key : positionOf(delta.key, delta.bucket) }))
    .sort((a, b) => compareCodePoints(b.at, a.at));
  for (let isAgain = false; left.length > 0; isAgain = true) {
    const located = await locate(tree, cache, map.name, left, isAgain);
    const outcomes = await inParallel(located, PARALLEL_NODES, ({ node, deltas: own }) =>
      addToNode(tree, cache, addition, node, own),
    );
    left = located.flatMap(({ deltas: own }, i) => (outcomes[i] ? [] : own));
  }
}

/** Replaces one row of a map of ranges by several, unless its node has changed. */
export async function replaceRow(
  tree: Tree,
  map: TreeMap,
  node: Node,
  key: string,
  rows: readonly Row[],
): Promise<boolean> {
  const all = trim(unpack(node.data), node.end).flatMap((row) => (row.key === key ? rows : [row]));
  const { pk, sk, end, epoch } = node;
  const written = await writeNode(tree, { pk, sk, end, epoch }, all, node);
  if (written && written.data.length > tree.nodeBytes) await splitNode(tree, map, sk);
  return written !== undefined;
}
