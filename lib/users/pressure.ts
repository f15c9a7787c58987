/**
 * Writes are slowed while the journal outruns its readers, and nobody is created, or gets more attributes, while the next base would not fit
 * into the memory of functions that list. The fold notes both in the head. A container looks at it once in so many writes: where few write, nobody looks. It also
 * learns there in how many parts the journal lies.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ServiceError, sleepWithin, unavailable, withDeadline } from '../ground/index.ts';
import { type Change, JOURNAL } from '../replica/entry.ts';
import { HEAD_KEY, type Head } from '../replica/head.ts';
import type { Database } from './database.ts';

/** A container looks after so many writes, and more often while there is pressure. */
const CALM = 50;
const PRESSED = 5;

/** A container writes at most about twice a second then. */
const LONGEST_PAUSE_MS = 1_000;

/** A write waits no longer for it: while the store throttles, what was known goes on. */
const LOOK_MS = 300;

type Known = Pick<Head, 'pressure' | 'parts'>;

/** D11. Why writes should be fewer, and where they go. Half a read unit for 4 KB: a batch makes the head longer. */
async function readPressure({ dynamo, tables }: Database): Promise<Known> {
  const command = new GetCommand({
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    ConsistentRead: false,
  });
  const { Item: { pressure, parts = 1 } = {} } = await dynamo.send(command);
  return { pressure, parts };
}

/** What the head says, or what was known before it could not be read. */
const look = (database: Database, known: Known): Promise<Known> =>
  withDeadline(database.runtime.now() + LOOK_MS, () => readPressure(database)).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    return known;
  });

const bytesOf = (user: Change['after']): number => JSON.stringify(user?.attributes ?? {}).length;

/** Whether there is more to have in memory. Other fields of a user have few bytes. */
const grows = ({ before, after }: Pick<Change, 'before' | 'after'>): boolean =>
  !before || bytesOf(after) > bytesOf(before);

/**
 * Makes what is called before each write, and returns in how many parts the journal lies, as far as this container knows: an earlier number is right,
 * too. @throws {ServiceError} 503 for a create, or for more attributes, for which there is no room
 */
export function createHeadCheck(database: Database) {
  const { runtime, limits } = database;
  // Where there may be several parts, the first write looks.
  let writes = limits.journalParts > 1 ? CALM - 1 : 0;
  let { pressure, parts }: Known = { pressure: undefined, parts: 1 };
  return async (change: Pick<Change, 'before' | 'after'>): Promise<number> => {
    if (++writes % (pressure ? PRESSED : CALM) === 0) ({ pressure, parts } = await look(database, { pressure, parts }));
    if (pressure === 'full' && grows(change))
      throw unavailable(
        'There is more of users than lists can have in memory: raise listMemory (docs/runbook.md#size)',
      );
    if (pressure === 'long') await sleepWithin(runtime, runtime.random() * LONGEST_PAUSE_MS);
    return Math.min(parts, limits.journalParts);
  };
}
