/**
 * The physical partitions of tables and indexes, as buckets of units. A bucket fills at its rate, and a request is served while something is
 * in it: what it takes beyond that, those after it wait for. Reads and writes are independent
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-key-range-limit-exceeded-mitigation.html).
 */
import { createHash } from 'node:crypto';

export type Kind = 'read' | 'write';

/** A part that a request touches: the items of a partition key, in a table or in an index, which has partitions of its own. */
export interface Touch {
  table: string;
  index?: string;
  key: unknown;
  kind: Kind;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const UNITS_A_SECOND: Record<Kind, number> = { read: 3_000, write: 1_000 };

/**
 * Of a new table, with 12,000 read and 4,000 write units a second
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html). Nothing is kept beyond a second: DynamoDB may
 * serve five minutes of unused units at once
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html), but that "isn't guaranteed", and "can't
 * alleviate partition-level throttling" (https://repost.aws/knowledge-center/dynamodb-spiky-workloads-short-intervals).
 */
export const NEW = 4;

interface Bucket {
  units: number;
  /** When these units were in it. */
  at: number;
}

export interface Partitions {
  /** Whether a request is served now. */
  isOpen(touch: Touch): boolean;
  /** @param units may be negative: they are given back */
  take(touch: Touch, units: number): void;
}

/**
 * @param partitions how many each table and each index has
 * @param now in milliseconds
 * @param salt another one puts other keys together: nobody knows which they are
 */
export function createPartitions(partitions: number, now: () => number, salt = 0): Partitions {
  const buckets = new Map<string, Bucket>();

  function numberOf({ key, table, index }: Touch): number {
    const hash = createHash('md5').update(JSON.stringify([salt, table, index, key]));
    return Math.floor((hash.digest().readUInt32BE() / 2 ** 32) * partitions);
  }

  /** It was full before anybody came. */
  function bucketOf(touch: Touch): Bucket {
    const { table, index = '', kind } = touch;
    const name = [table, index, kind, numberOf(touch)].join('/');
    const rate = UNITS_A_SECOND[kind];
    const { units, at } = buckets.get(name) ?? { units: rate, at: now() };
    const bucket = { units: Math.min(rate, units + (rate * (now() - at)) / 1_000), at: now() };
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    isOpen: (touch) => bucketOf(touch).units > 0,
    take: (touch, units) => {
      bucketOf(touch).units -= units;
    },
  };
}
