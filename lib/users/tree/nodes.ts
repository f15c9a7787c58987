import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import { ServiceError } from '../../errors.ts';
import { compareCodePoints } from '../text.ts';
import { queryable } from './rows.ts';
import { FIRST_BOUND, type Node, partitionOf, type Tree } from './tree.ts';

const toNode = (item: Record<string, unknown>): Node => item as unknown as Node;

type Bounds = Partial<Record<'from' | 'to' | 'below', string | undefined>>;

function queryOf({ table }: Tree, pk: string, bounds: Bounds): QueryCommandInput {
  const [from, to, below] = [bounds.from, bounds.to, bounds.below].map((text) => text && queryable(text));
  return { ...rangeQuery({ table, partition: ['pk', pk], sort: 'sk', from, to, below }), ConsistentRead: true };
}

/** The node that covers a position, and some before it, the last first. */
async function readBefore(tree: Tree, pk: string, at: string, most: number, ConsistentRead: boolean): Promise<Node[]> {
  const input = { ...queryOf(tree, pk, { to: at }), ConsistentRead, ScanIndexForward: false };
  const nodes: Node[] = [];
  for await (const item of queryItems(tree.dynamo, input, most)) if (nodes.push(toNode(item)) === most) break;
  return nodes;
}

/** D3. The node that covers a position. Undefined for a map without nodes. */
export async function readFloor(tree: Tree, map: string, at: string): Promise<Node | undefined> {
  const [node] = await readBefore(tree, partitionOf(tree.generation, map), at, 1, true);
  return node;
}

/**
 * The node that covers a position and some before it, at half the price, for a writer. An old state of a node does no harm, as
 * its write is refused. Where a node is missing, or a newer one must be behind it, the writer asks for the present state.
 */
export async function readFloorToWrite(tree: Tree, map: string, at: string, most: number): Promise<Node[]> {
  const pk = partitionOf(tree.generation, map);
  const nodes = await readBefore(tree, pk, at, most, false);
  const [floor] = nodes;
  const isPlausible = floor && (floor.end === undefined || compareCodePoints(at, floor.end) < 0);
  return isPlausible ? nodes : readBefore(tree, pk, at, 1, true);
}

/** Keys from one, included, to another, not included. */
export interface Stretch {
  from: string;
  /** Undefined: to the end of the map. Equal to `from`: this key alone. */
  to: string | undefined;
  /** Not more nodes than these probably have it: then they are read in one query, and others only if they do not. */
  nodes?: number;
}

/** A read unit, consistent, covers so many nodes of the usual size. */
export const NODES_PER_UNIT = 4;

export const WHOLE_MAP: Stretch = { from: FIRST_BOUND, to: undefined };

const readRange = (tree: Tree, pk: string, { from, to }: Stretch): Promise<Node[]> =>
  Array.fromAsync(queryItems(tree.dynamo, queryOf(tree, pk, { from, to })), toNode);

/** Whether there is no gap: the node after each node must be there. */
const areWhole = (nodes: readonly Node[], to: string | undefined): boolean =>
  nodes.every(({ end }, i) => {
    if (end === undefined) return true;
    const next = nodes[i + 1]?.sk ?? to;
    return next !== undefined && compareCodePoints(next, end) <= 0;
  });

/** The last nodes of a stretch, and whether they are all. The node that covers its beginning is not known, but it is before them. */
async function readLast(tree: Tree, pk: string, { from, to }: Stretch, most: number) {
  const input = { ...queryOf(tree, pk, { below: to }), ScanIndexForward: false };
  const nodes: Node[] = [];
  for await (const item of queryItems(tree.dynamo, input, most)) {
    const node = toNode(item);
    nodes.unshift(node);
    if (compareCodePoints(node.sk, from) <= 0) break;
    if (nodes.length === most) return { nodes, isAll: false };
  }
  return { nodes, isAll: true };
}

async function readOnce(tree: Tree, map: string, stretch: Stretch): Promise<Node[]> {
  const { from, to, nodes } = stretch;
  const pk = partitionOf(tree.generation, map);
  if (from === FIRST_BOUND) return readRange(tree, pk, stretch);
  const last = nodes === undefined ? undefined : await readLast(tree, pk, stretch, nodes);
  if (last?.isAll) return last.nodes;
  const [next] = last?.nodes ?? [];
  const [floor, between] = await Promise.all([
    readFloor(tree, map, from),
    from === to ? [] : readRange(tree, pk, { from, to: next?.sk ?? to }),
  ]);
  const inner = between.filter(({ sk }) => sk !== floor?.sk && sk !== next?.sk);
  return [...(floor ? [floor] : []), ...inner, ...(last?.nodes ?? [])];
}

const MAX_READINGS = 10;

/** A node is missing between others, or nodes are split again and again. */
export class MapTorn extends ServiceError {}

/**
 * D4. The nodes in which the positions of a stretch can lie. They are read side by side, and again when a node was split in the
 * meantime. A map without nodes is empty.
 *
 * @param isOneState whether the rows of nodes that were read side by side belong together
 * @throws {MapTorn} 503 when there is a gap between them in ten readings
 */
export async function readNodes(
  tree: Tree,
  map: string,
  stretch: Stretch,
  isOneState: (nodes: readonly Node[]) => boolean = () => true,
): Promise<Node[]> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const nodes = await readOnce(tree, map, stretch);
    if (areWhole(nodes, stretch.to) && isOneState(nodes)) return nodes;
  }
  const message = `Nodes of ${map} were split ${MAX_READINGS} times while they were read, or one is missing`;
  throw new MapTorn('unavailable', message, { headers: { 'retry-after': '1' } });
}

/** The nodes of a stretch, if they are few. Undefined if they are more, or one of them was split while they were read. */
export async function readFewNodes(
  tree: Tree,
  map: string,
  stretch: Stretch,
  most: number,
): Promise<Node[] | undefined> {
  const { nodes, isAll } = await readLast(tree, partitionOf(tree.generation, map), stretch, most);
  return isAll && areWhole(nodes, stretch.to) ? nodes : undefined;
}
