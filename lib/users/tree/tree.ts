/**
 * Counted sorted maps, cut into nodes of about a kilobyte: an item each, which costs one unit to write.
 *
 * A map goes from a key to some numbers by bucket. A node has the rows from its lower bound, `sk`, up to `end`, where the next node
 * begins. Whoever repeats a batch leaves a node with its epoch alone. A write is refused if another writer has changed the revision.
 *
 * Invariants: nodes have no gaps between them, once the first is there. Bounds stay as long as the generation does. A split beside readers:
 *
 *   before   [a ─────────────── z)   revision 7       who reads     has                  and
 *   after    [a ───── m)             revision 8       old and new   [a ── z), [m ── z)   cuts the old one at m: `rowsOf`
 *                     [m ───── z)    revision 1       only old      [a ── z)             knows by its epoch what it lacks
 *            in one transaction, of one epoch         only the new  [a ── m)             sees the gap, reads again: `readNodes`
 */
import type { DynamoAccess } from '../../dynamodb/client.ts';

export interface Tree extends DynamoAccess {
  table: string;
  /** Statistics are built again next to the present ones, under another name. */
  generation: string;
  /** A larger node is split. */
  nodeBytes: number;
}

export interface TreeMap {
  name: string;
  /**
   * In a map of ranges: the key of the first row for keys like this one. No row stands for keys with different starts. A row stands for all
   * keys from its own up to the next row's, and stays even if all of its numbers are zero, unless no other row has its start.
   */
  startOf?: (key: string) => string;
}

export type RangesMap = TreeMap & Required<Pick<TreeMap, 'startOf'>>;

export interface Node {
  pk: string;
  sk: string;
  end?: string | undefined;
  epoch: number;
  revision: number;
  data: Uint8Array;
}

/** The first bound of a map. It sorts before every key: even the key of an empty value begins with NUL and is longer. */
export const FIRST_BOUND = '\0';

const PREFIX = 'g';

export const partitionOf = (generation: string, map: string): string => `${PREFIX}${generation}:${map}`;

/** The generation of a partition; undefined for other partitions. */
export const generationOf = (pk: string): string | undefined => /^g([^:]+):/.exec(pk)?.[1];
