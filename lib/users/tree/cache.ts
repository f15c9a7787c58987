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

/** About 30 MB. */
const MAX_NODES = 20_000;

/** The place of the last bound that is not above a position, counted from 1; 0 for none. */
const placeOf = (bounds: readonly string[], at: string): number => floorOf(bounds.length, (place) => bounds[place], at);

interface CachedMap {
  bounds: string[];
  nodes: Map<string, Node>;
}

export function createNodeCache(): NodeCache {
  const maps = new Map<string, CachedMap>();
  let size = 0;

  const isIn = ({ end }: Node, at: string) => end === undefined || compareCodePoints(at, end) < 0;

  return {
    floor(pk, at) {
      const map = maps.get(pk);
      const node = map?.nodes.get(map.bounds[placeOf(map.bounds, at) - 1] ?? '');
      return node && isIn(node, at) ? node : undefined;
    },
    keep(node) {
      if (size >= MAX_NODES) {
        maps.clear();
        size = 0;
      }
      const map = maps.get(node.pk) ?? { bounds: [], nodes: new Map() };
      maps.set(node.pk, map);
      if (!map.nodes.has(node.sk)) {
        map.bounds.splice(placeOf(map.bounds, node.sk), 0, node.sk);
        size++;
      }
      map.nodes.set(node.sk, node);
    },
    forget({ pk, sk }) {
      const map = maps.get(pk);
      if (!map?.nodes.delete(sk)) return;
      map.bounds.splice(placeOf(map.bounds, sk) - 1, 1);
      size--;
    },
  };
}
