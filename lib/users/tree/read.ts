import { memoized } from '../../memoized.ts';
import { compareCodePoints } from '../text.ts';
import { readFewNodes, readNodes, type Stretch } from './nodes.ts';
import { unpack } from './pack.ts';
import { addDeltas, type Delta, floorOf, type Row, trim } from './rows.ts';
import type { Node, RangesMap, Tree, TreeMap } from './tree.ts';

/** Changes that the nodes of a map do not have, or not all of them. */
export interface Overlay {
  /** Of the batch. A node of this epoch has the batch. */
  epoch: number;
  fresh: readonly Delta[];
  batch: readonly Delta[];
  /** @throws an error of its owner when a node has an epoch that the overlay does not know */
  expect(epoch: number): void;
}

/** For a map that nobody writes. */
export const AT_REST: Overlay = { epoch: Number.NaN, fresh: [], batch: [], expect: () => {} };

/** The rows of so many nodes, of some ten kilobytes each, are kept: most of the time of a keyword goes into unpacking. */
const MOST_KEPT = 500;

const unpackText = memoized((data: string): readonly Row[] => unpack(Buffer.from(data, 'latin1')), MOST_KEPT);

/** Whatever node they are of: the same data has the same rows. */
const unpacked = ({ data }: Node): readonly Row[] => unpackText(Buffer.from(data).toString('latin1'));

/** The node that covers a key. Undefined for a map without nodes. */
const nodeAt = (nodes: readonly Node[], key: string): Node | undefined =>
  nodes[floorOf(nodes.length, (place) => nodes[place]?.sk, key) - 1];

const isWithin = ({ from, to }: Stretch, { key }: { key: string }): boolean =>
  key === from || (compareCodePoints(key, from) > 0 && (to === undefined || compareCodePoints(key, to) < 0));

/** The rows of some nodes of a map that follow each other. One that was split after it was read ends where the next begins. */
export const rowsOf = (nodes: readonly Node[]): Row[] =>
  nodes.flatMap((node, i) => trim(unpacked(node), nodes[i + 1]?.sk ?? node.end));

/** The rows of nodes in a stretch of a map, with the changes of an overlay. */
function overlaid(nodes: readonly Node[], map: TreeMap, stretch: Stretch, overlay: Overlay, all = rowsOf(nodes)) {
  for (const { epoch } of nodes) overlay.expect(epoch);
  const isMissing = ({ key }: Delta) => nodeAt(nodes, key)?.epoch !== overlay.epoch;
  const missing = [...overlay.fresh, ...overlay.batch.filter(isMissing)].filter((delta) => isWithin(stretch, delta));
  const rows = all.filter((row) => isWithin(stretch, row));
  return missing.length === 0 ? rows : addDeltas(rows, missing, map.startOf);
}

/**
 * Whether no row of ranges was read together with what became of it. The next node begins at a row of a node that was split after it was
 * read, or at a row that is the first with its start. It begins elsewhere if a row was replaced by its parts before the split.
 */
const isOneState = ({ startOf }: TreeMap, nodes: readonly Node[]): boolean =>
  !startOf ||
  nodes.every((node, i) => {
    const next = nodes[i + 1]?.sk;
    const isSplit = next !== undefined && next !== node.end;
    return !isSplit || startOf(next) === next || unpacked(node).some(({ key }) => key === next);
  });

const nodesOf = (tree: Tree, map: TreeMap, stretch: Stretch): Promise<Node[]> =>
  readNodes(tree, map.name, stretch, (nodes) => isOneState(map, nodes));

/** The rows of a stretch, with the changes of an overlay. */
export const readRows = async (tree: Tree, map: TreeMap, stretch: Stretch, overlay: Overlay): Promise<Row[]> =>
  overlaid(await nodesOf(tree, map, stretch), map, stretch, overlay);

/**
 * The rows that stand for the keys of a stretch in a map of ranges, from the one that its first key lies in, with the changes of an
 * overlay. And the key of the row after them; undefined at the end of the map.
 */
export async function readRanges(
  tree: Tree,
  map: RangesMap,
  stretch: Stretch,
  overlay: Overlay,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const { from, to } = stretch;
  const nodes = await nodesOf(tree, map, stretch);
  const all = rowsOf(nodes);
  const floor = all[floorOf(all.length, (place) => all[place]?.key, from) - 1];
  const start = map.startOf(from);
  const isOfSameStart = floor !== undefined && compareCodePoints(floor.key, start) >= 0;
  const next = all.find(({ key }) => to !== undefined && compareCodePoints(key, to) >= 0);
  return {
    rows: overlaid(nodes, map, { from: isOfSameStart ? floor.key : start, to }, overlay, all),
    next: next?.key ?? nodes.at(-1)?.end,
  };
}

/**
 * The rows of some keys of a map, in the order of the keys. The node of the lowest key often has the others, too; otherwise their
 * nodes are read side by side.
 */
export async function readRowsAt(
  tree: Tree,
  map: TreeMap,
  keys: readonly string[],
  overlay: Overlay,
): Promise<(Row | undefined)[]> {
  const [lowest] = keys.toSorted(compareCodePoints);
  if (lowest === undefined) return [];
  const read = (key: string) => readNodes(tree, map.name, { from: key, to: key });
  const nodes = await read(lowest);
  const isThere = (key: string) => nodes.every(({ end }) => end === undefined || compareCodePoints(key, end) < 0);
  return Promise.all(
    keys.map(async (key) => {
      const own = isThere(key) ? nodes : await read(key);
      return overlaid(own, map, { from: key, to: key }, overlay)[0];
    }),
  );
}

/** The rows of a stretch, if at most `most` nodes have them; otherwise undefined. */
export async function readFewRows(tree: Tree, map: TreeMap, stretch: Stretch, overlay: Overlay, most: number) {
  const nodes = await readFewNodes(tree, map.name, stretch, most);
  return nodes && overlaid(nodes, map, stretch, overlay);
}
