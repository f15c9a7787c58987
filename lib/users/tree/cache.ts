import { compareCodePoints } from '../text.ts';
import { floorOf } from './rows.ts';
import type { Node } from './tree.ts';

/**
 * Nodes as one fold last saw them, to save reads. They may be out of date: a write of a node is refused if another writer has
 * changed it, and the node is then dropped from the cache.
 */
export interface NodeCache {
  /** The cached node that covers a position, if any. */
  floor(pk: string, at: string): Node | undefined;
  keep(node: Node): void;
  forget(node: Pick<Node, 'pk' | 'sk'>): void;
}

/** About 64 MB with what JavaScript adds: all statistics of some hundred thousand users. */
const MAX_BYTES = 64_000_000;

/** What a node takes in addition to its rows and its bounds. */
const NODE_BYTES = 500;

const bytesOf = ({ data, sk, end = '' }: Node): number => NODE_BYTES + data.length + 2 * (sk.length + end.length);

/** The place of the last bound that is not above a position, counted from 1; 0 for none. */
const placeOf = (bounds: readonly string[], at: string): number => floorOf(bounds.length, (place) => bounds[place], at);

interface CachedMap {
  bounds: string[];
  nodes: Map<string, Node>;
}

/** @param maxBytes when nodes take more, the maps that were not used for the longest time are dropped */
export function createNodeCache(maxBytes = MAX_BYTES): NodeCache {
  const maps = new Map<string, CachedMap>();
  let bytes = 0;

  const isIn = ({ end }: Node, at: string) => end === undefined || compareCodePoints(at, end) < 0;

  /** A map goes to the end of the maps when it is used. */
  function use(pk: string): CachedMap {
    const map = maps.get(pk) ?? { bounds: [], nodes: new Map() };
    maps.delete(pk);
    maps.set(pk, map);
    return map;
  }

  return {
    floor(pk, at) {
      const { bounds, nodes } = use(pk);
      const node = nodes.get(bounds[placeOf(bounds, at) - 1] ?? '');
      return node && isIn(node, at) ? node : undefined;
    },
    keep(node) {
      const { bounds, nodes } = use(node.pk);
      const known = nodes.get(node.sk);
      if (known && known.revision > node.revision) return;
      if (!known) bounds.splice(placeOf(bounds, node.sk), 0, node.sk);
      bytes += bytesOf(node) - (known ? bytesOf(known) : 0);
      // A copy: a buffer may be a small part of a large one, which would stay as long.
      nodes.set(node.sk, { ...node, data: new Uint8Array(node.data) });
      for (const [pk, oldest] of maps) {
        if (bytes <= maxBytes) break;
        for (const each of oldest.nodes.values()) bytes -= bytesOf(each);
        maps.delete(pk);
      }
    },
    forget({ pk, sk }) {
      const { bounds, nodes } = use(pk);
      const known = nodes.get(sk);
      if (!known) return;
      nodes.delete(sk);
      bytes -= bytesOf(known);
      bounds.splice(placeOf(bounds, sk) - 1, 1);
    },
  };
}
