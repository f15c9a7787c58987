import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../../dynamodb/batches.ts';
import { firstItem, queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { entriesOf, JOURNAL, type JournalEntry, toEntry } from './entry.ts';
import { HEAD_KEY, type Head, toHead } from './head.ts';

const isHead = (item: Record<string, unknown> | undefined): boolean => item?.sk === HEAD_KEY;

/** The head and all entries as they are stored. */
export interface Items {
  head: Head;
  entries: JournalEntry[];
  /** The entries that are left of the batch that is being folded, and those that are in no batch yet. */
  batch: JournalEntry[];
  fresh: JournalEntry[];
  /** How many pages of DynamoDB they took. */
  pages: number;
  /** The read units that they cost. */
  units: number;
}

const allOf = ({ directory }: Database['tables']): QueryCommandInput => ({
  ...rangeQuery({ table: directory, partition: ['pk', JOURNAL] }),
  ConsistentRead: true,
});

/** D2. Strongly consistent. One read unit for each 4 KB of the journal, at least one; more than a megabyte comes in several pages. */
export async function readItems({ dynamo, tables }: Database): Promise<Items> {
  const input = allOf(tables);
  const items: Record<string, unknown>[] = [];
  let from: QueryCommandInput['ExclusiveStartKey'];
  let pages = 0;
  let units = 0;
  do {
    const response = await dynamo.send(new QueryCommand({ ...input, ExclusiveStartKey: from }));
    items.push(...(response.Items ?? []));
    from = response.LastEvaluatedKey;
    pages++;
    units += response.ConsumedCapacity?.CapacityUnits ?? 0;
  } while (from !== undefined);
  const head = toHead(isHead(items[0]) ? items.shift() : undefined);
  const entries = items.map(toEntry);
  const claimed = new Set(head.batch);
  const batch = entries.filter(({ sk }) => claimed.has(sk));
  const fresh = entries.filter(({ sk }) => !claimed.has(sk));
  return { head, entries, batch, fresh, pages, units };
}

/** D15. The entries of one user, newest first. Strongly consistent. One read unit for 4 KB. */
export function readEntriesOf({ dynamo, tables }: Database, id: number): Promise<JournalEntry[]> {
  const input = rangeQuery({ table: tables.directory, partition: ['pk', JOURNAL], sort: 'sk', ...entriesOf(id) });
  return Array.fromAsync(queryItems(dynamo, { ...input, ConsistentRead: true }), toEntry);
}

/** Deletes entries by their sort keys. Missing ones are ignored. */
export const deleteEntries = (database: Database, keys: readonly string[]): Promise<void> =>
  deleteItems(
    database,
    database.tables.directory,
    keys.map((sk) => ({ pk: JOURNAL, sk })),
  );

/** The head alone, to see whether a fold has begun since. */
export async function readHead({ dynamo, tables }: Database): Promise<Head> {
  const first = await firstItem(dynamo, allOf(tables));
  return toHead(isHead(first) ? first : undefined);
}
