import { usersIn } from '../../../lib/users/counts/users.ts';
import { addBatch } from '../../../lib/users/tree/add.ts';
import { createNodeCache } from '../../../lib/users/tree/cache.ts';
import { readFloor, readNodes, WHOLE_MAP } from '../../../lib/users/tree/nodes.ts';
import { unpack } from '../../../lib/users/tree/pack.ts';
import { rowsOf } from '../../../lib/users/tree/read.ts';
import type { Delta, Row } from '../../../lib/users/tree/rows.ts';
import type { Tree, TreeMap } from '../../../lib/users/tree/tree.ts';
import { splitNode } from '../../../lib/users/tree/write.ts';
import { type Call, FakeStore, type Line, TABLES } from './store.ts';

/** A row as a literal: its key and its numbers. */
export type Plain = readonly [key: string, counts: Readonly<Record<string, number>>];

export const rowsFrom = (...rows: readonly Plain[]): Row[] =>
  rows.map(([key, counts]) => ({ key, counts: new Map(Object.entries(counts)) }));

export const plain = (rows: readonly Row[]): Plain[] =>
  rows.map(({ key, counts }) => [key, Object.fromEntries(counts)] as const);

/** Rows as one text, such as `a n2, c n1`. */
export const text = (rows: readonly (Row | Plain)[]): string =>
  rows
    .map((row) => {
      const [key, counts] = 'key' in row ? [row.key, [...row.counts]] : [row[0], Object.entries(row[1])];
      return [key, ...counts.map(([bucket, n]) => bucket + n)].join(' ');
    })
    .join(', ');

/** Rows of segments as one text, such as `a 2, c 1`: the key and the number of users of each. */
export const sized = (rows: readonly Row[]): string => rows.map((row) => `${row.key} ${usersIn(row)}`).join(', ');

export const one = (key: string, n = 1, bucket = 'n'): Delta => ({ key, bucket, n });

/** Adds a user for each letter. */
export const letters = (text: string): Delta[] => [...text].map((key) => one(key));

/** Ranges, as segments are. A key begins with the name of its list and `/`. */
const startOf = (key: string): string => key.slice(0, key.indexOf('/') + 1) || '\0';

export const BY_KEY: TreeMap = { name: 'letters' };
export const BY_RANGE: TreeMap = { name: 'ranges', startOf };

type Around = (call: Call, execute: () => Promise<unknown>) => Promise<unknown>;

/** Splits a node that is too large for this tree. */
export async function splitAt(tree: Tree, map: TreeMap, sk: string): Promise<void> {
  const node = await readFloor(tree, map.name, sk);
  if (node) await splitNode(tree, node);
}

/** A tree over a store in memory. `treeOf` is the same tree in a process whose calls go by a line. */
export function setUpTree(nodeBytes = 880) {
  let time = 1_790_000_000_000;
  let lag = () => 0;
  const store = new FakeStore({ now: () => time, lag: () => lag() });
  const runtime = { now: () => time, monotonic: () => time, random: () => 0.5, sleep: async () => {} };
  const treeOf = (around: Around, bytes = nodeBytes, pause: Line['pause'] = async () => {}): Tree => ({
    dynamo: store.client({ around, pause }),
    runtime,
    table: TABLES.directory,
    generation: '1',
    nodeBytes: bytes,
  });
  const tree = treeOf((_, execute) => execute());
  return {
    store,
    tree,
    treeOf,
    /** Sets how late weak reads see an item. */
    setLag: (next: () => number) => {
      lag = next;
    },
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    add: (epoch: number, deltas: readonly Delta[], map = BY_KEY, own = tree) =>
      addBatch(own, createNodeCache(), epoch, [{ map, deltas }]),
    rows: async (map = BY_KEY) => plain(rowsOf(await readNodes(tree, map.name, WHOLE_MAP))),
    /** The nodes as they are stored, with the keys of their rows instead of the data. */
    stored: (map = BY_KEY) =>
      store
        .itemsOf('directory')
        .filter(({ pk }) => pk === `g1:${map.name}`)
        .map(({ sk, end, epoch, revision, data }) => ({
          sk,
          end,
          epoch,
          revision,
          keys: unpack(data as Uint8Array).map(({ key }) => key),
        })),
  };
}
