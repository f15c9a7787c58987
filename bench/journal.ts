import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { JOURNAL } from '../lib/users/journal/entry.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';

export interface JournalSize {
  /** The entries, without the head. */
  entries: number;
  /** What a list pays for reading all of it. */
  readUnits: number;
}

const POLL_MS = 250;

/** DynamoDB counts, so that it does not have to send a long journal. */
export async function journalSize({ dynamo, tables }: Database): Promise<JournalSize> {
  let [items, readUnits] = [0, 0];
  let from: QueryCommandOutput['LastEvaluatedKey'];
  do {
    const page: QueryCommandOutput = await dynamo.send(
      new QueryCommand({
        TableName: tables.directory,
        KeyConditionExpression: 'pk = :journal',
        ExpressionAttributeValues: { ':journal': JOURNAL },
        ConsistentRead: true,
        Select: 'COUNT',
        ReturnConsumedCapacity: 'TOTAL',
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items += page.Count ?? 0;
    readUnits += page.ConsumedCapacity?.CapacityUnits ?? 0;
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return { entries: Math.max(0, items - 1), readUnits };
}

/** Waits until the journal costs a list no more than an empty one, for `limitMs` at most. @returns the milliseconds */
export async function untilShort(database: Database, limitMs: number): Promise<number> {
  const { monotonic, sleep } = database.runtime;
  const started = monotonic();
  for (;;) {
    const passed = monotonic() - started;
    if (passed >= limitMs) return limitMs;
    if ((await journalSize(database)).readUnits <= 1) return passed;
    await sleep(POLL_MS);
  }
}

/** Folds what one part of a run has left in the journal, before the next part begins. */
export const emptyJournal = (database: Database): Promise<unknown> =>
  createFold(database, FOLD_AT_ONCE).run(UNTIL_ALL_IS_FOLDED);
