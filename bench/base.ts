import { type Item, query } from '../lib/dynamodb/index.ts';
import { readHead } from '../lib/replica/index.ts';
import { basePartition, DELTAS, JOURNAL } from '../lib/replica/internals.ts';
import type { Database } from '../lib/users/database.ts';
import { type Figures, one } from './figures.ts';
import { times } from './sample.ts';

const readPartition = (database: Database, name: string): Promise<Item[]> =>
  Array.fromAsync(query(database, { table: database.tables.directory, partition: ['pk', name] }));

const bytesOf = (items: readonly Item[]): number =>
  items.reduce((sum, { data }) => sum + (data as Uint8Array).length, 0);

/** Sizes of the base, and of the users who have changed since. */
export async function measureStored(database: Database): Promise<Figures> {
  const { base, changed = 0 } = (await readHead(database)) ?? {};
  const parts = await Promise.all(
    times(database.limits.basePartitions, (i) => readPartition(database, basePartition(i))),
  );
  const bytes = bytesOf(parts.flat());
  const [head] = await readPartition(database, JOURNAL);
  return {
    'bytes of a user in the base': one(bytes / (base?.users ?? 0)),
    'kilobytes of the base': one(bytes / 1_000),
    'parts of the base': one(parts.flat().length),
    'megabytes of its columns': one((base?.unpacked ?? 0) / 1e6),
    'bytes of a changed user in a delta': one(bytesOf(await readPartition(database, DELTAS)) / Math.max(changed, 1)),
    'bytes of the head, as JSON': one(JSON.stringify(head).length),
  };
}
