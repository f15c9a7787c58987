import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../../dynamodb/batches.ts';
import { firstItem, queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { addModulo } from '../hash.ts';
import { setAside } from '../setAside.ts';
import { entriesOf, entryHash, entryKey, JOURNAL, type JournalEntry, toEntry } from './entry.ts';
import { HEAD_KEY, type Head, toHead } from './head.ts';

const isHead = (item: Record<string, unknown> | undefined): boolean => item?.sk === HEAD_KEY;

/** The head and all entries: first the head, then the entries by id, and each user's newest first. */
export interface Journal {
  /** Undefined at a new stage, and if it was lost. */
  head: Head | undefined;
  entries: JournalEntry[];
  /** The read units that they cost. */
  units: number;
}

const allOf = ({ directory }: Database['tables']): QueryCommandInput => ({
  ...rangeQuery({ table: directory, partition: ['pk', JOURNAL] }),
  ConsistentRead: true,
});

/** Whether a key is one that the service makes. Others stay in the journal, and stop nothing. */
function isSound({ sk, id, version }: JournalEntry): boolean {
  const isOwn = Number.isSafeInteger(id) && id > 0 && sk === entryKey({ id, version });
  if (!isOwn) setAside(`The entry ${sk}`, undefined);
  return isOwn;
}

/**
 * D2. Strongly consistent, item by item. One read unit for each 4 KB of the journal, at least one; more than a megabyte comes in several
 * pages. Whoever finds a write in it finds all later ones of its user, because the fold deletes a user's older entries first.
 */
export async function readItems({ dynamo, tables }: Database): Promise<Journal> {
  const input = allOf(tables);
  const items: Record<string, unknown>[] = [];
  let from: QueryCommandInput['ExclusiveStartKey'];
  let units = 0;
  do {
    const response = await dynamo.send(new QueryCommand({ ...input, ExclusiveStartKey: from }));
    items.push(...(response.Items ?? []));
    from = response.LastEvaluatedKey;
    units += response.ConsumedCapacity?.CapacityUnits ?? 0;
  } while (from !== undefined);
  const head = isHead(items[0]) ? toHead(items.shift() ?? {}) : undefined;
  return { head, entries: items.map(toEntry).filter(isSound), units };
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

/** The head alone. Undefined at a new stage, and if it was lost. */
export async function readHead({ dynamo, tables }: Database): Promise<Head | undefined> {
  const first = await firstItem(dynamo, allOf(tables));
  return isHead(first) ? toHead(first ?? {}) : undefined;
}

/** The sum of the hashes of some entries and of what was before them. */
export const tagOf = (tag: number, entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, { sk }) => addModulo(sum, entryHash(sk)), tag);

/** The newest entry of each user. Entries are in the order of the journal. */
export function newestOf(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter(({ id }, i) => entries[i - 1]?.id !== id);
}

/** Which entries are in the batch of a head, and which are in no batch yet. */
export function splitBy({ batch }: Head, entries: readonly JournalEntry[]) {
  const claimed = new Set(batch);
  return {
    batch: entries.filter(({ sk }) => claimed.has(sk)),
    fresh: entries.filter(({ sk }) => !claimed.has(sk)),
  };
}
