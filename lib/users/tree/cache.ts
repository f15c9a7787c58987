import { compareCodePoints } from '../text.ts';
import { floorOf } from './rows.ts';
import type { Node } from './tree.ts';

/** About 64 MB with what JavaScript adds: all statistics of some hundred thousand users. */
const MAX_BYTES = 64_000_000;

/** What a node takes in addition to its rows and its bounds. */
const NODE_BYTES = 500;

const bytesOf = ({ data, sk, end = '' }: Node): number => NODE_BYTES + data.length + 2 * (sk.length + end.length);

const isIn = ({ end }: Node, at: string) => end === undefined || compareCodePoints(at, end) < 0;

/** The place of the last node whose bound is not above a position; -1 for none. */
const placeOf = (nodes: readonly Node[], at: string): number =>
  floorOf(nodes.length, (place) => nodes[place]?.sk, at) - 1;

/**
 * Nodes as one fold last saw them, to save reads. They may be out of date: a write of a node is refused if another writer has
 * changed it, and the node is then dropped from the cache.
 *
 * @param maxBytes when nodes take more, the maps that were not used for the longest time are dropped
 */
export function createNodeCache(maxBytes = MAX_BYTES) {
  const maps = new Map<string, Node[]>();
  let bytes = 0;

  /** The nodes of a map, in order. The map goes to the end of the maps when it is used. */
  function use(pk: string): Node[] {
    const nodes = maps.get(pk) ?? [];
    maps.delete(pk);
    maps.set(pk, nodes);
    return nodes;
  }

  /** The known node with a bound. It gives its place to another one, or is forgotten. */
  function replace({ pk, sk }: Pick<Node, 'pk' | 'sk'>, by: (known: Node | undefined) => Node | undefined): void {
    const nodes = use(pk);
    const place = placeOf(nodes, sk);
    const known = nodes[place]?.sk === sk ? nodes[place] : undefined;
    const next = by(known);
    nodes.splice(known ? place : place + 1, known ? 1 : 0, ...(next ? [next] : []));
    bytes += (next ? bytesOf(next) : 0) - (known ? bytesOf(known) : 0);
  }

  return {
    /** The cached node that covers a position, if any. */
    floor(pk: string, at: string): Node | undefined {
      const nodes = use(pk);
      const node = nodes[placeOf(nodes, at)];
      return node && isIn(node, at) ? node : undefined;
    },
    keep(node: Node): void {
      // A copy: a buffer may be a small part of a large one, which would stay as long.
      const copy = { ...node, data: new Uint8Array(node.data) };
      replace(node, (known) => (known && known.revision > node.revision ? known : copy));
      for (const [pk, oldest] of maps) {
        if (bytes <= maxBytes) break;
        for (const each of oldest) bytes -= bytesOf(each);
        maps.delete(pk);
      }
    },
    forget: (node: Pick<Node, 'pk' | 'sk'>): void => replace(node, () => undefined),
  };
}

export type NodeCache = ReturnType<typeof createNodeCache>;
