/**
 * Counted sorted maps, cut into nodes of about a kilobyte: an item each, which costs one unit to write.
 *
 * A map goes from a key to some numbers by bucket. A node has the rows from its lower bound up to `end`, where the next node begins.
 *
 * | Item | |
 * |---|---|
 * | `pk` | the generation and the name of the map |
 * | `sk` | the lower bound; `FIRST_BOUND` in the first node |
 * | `end` | the bound of the next node; absent in the last one |
 * | `epoch` | of the last batch that was added to it: whoever repeats a batch leaves such a node alone |
 * | `revision` | changes with every write: a write is refused if another writer was faster |
 * | `data` | the rows |
 *
 * Invariants: nodes have no gaps between them, once the first is there. Bounds stay as long as the generation does. A node that is
 * split gives its rows away in the transaction that sets its end: what it still has beyond the end does not count.
 */
import type { DynamoAccess } from '../../dynamodb/client.ts';
import type { Ranges } from './rows.ts';

export interface Tree extends DynamoAccess {
  table: string;
  /** Statistics are built again next to the present ones, under another name. */
  generation: string;
  /** A larger node is split. */
  nodeBytes: number;
}

/** A map, and how its rows are added to. */
export interface TreeMap {
  name: string;
  ranges?: Ranges;
}

/** A node as stored. */
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

/** The partition of a map. */
export const partitionOf = (generation: string, map: string): string => `${PREFIX}${generation}:${map}`;

/** The generation of a partition; undefined for other partitions. */
export const generationOf = (pk: string): string | undefined => /^g([^:]+):/.exec(pk)?.[1];
