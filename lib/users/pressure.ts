/**
 * Writes are slowed while the journal outruns its readers, and nobody is created while the next base would not fit into the memory of
 * functions that list. The fold notes both in the head. A container looks at it once in so many writes: where few write, nobody looks.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { sleepWithin } from '../deadline.ts';
import { unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { type Change, JOURNAL } from './journal/entry.ts';
import { HEAD_KEY, type Pressure } from './journal/head.ts';

/** A container looks after so many writes, and more often while there is pressure. */
const CALM = 50;
const PRESSED = 5;

/** A container writes at most about twice a second then. */
const LONGEST_PAUSE_MS = 1_000;

/** D11. Why writes should be fewer. Half a read unit. */
async function readPressure({ dynamo, tables }: Database): Promise<Pressure | undefined> {
  const command = new GetCommand({
    TableName: tables.directory,
    Key: { pk: JOURNAL, sk: HEAD_KEY },
    ConsistentRead: false,
  });
  return (await dynamo.send(command)).Item?.pressure;
}

/** Makes what is called before each write. @throws {ServiceError} 503 for a create for which there is no room */
export function createPressureCheck(database: Database) {
  const { runtime } = database;
  let [writes, pressure] = [0, undefined as Pressure | undefined];
  return async ({ before }: Pick<Change, 'before'>): Promise<void> => {
    if (++writes % (pressure ? PRESSED : CALM) === 0) pressure = await readPressure(database);
    if (pressure === 'full' && !before)
      throw unavailable('There are more users than lists can have in memory: raise listMemory (docs/runbook.md#size)');
    if (pressure === 'long') await sleepWithin(runtime, runtime.random() * LONGEST_PAUSE_MS);
  };
}
