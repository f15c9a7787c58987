/** A process that writes users or folds, until it is killed. It prints each write before it begins and when it is done. */
import { writeSync } from 'node:fs';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { systemRuntime } from '../../../lib/runtime.ts';
import type { Database } from '../../../lib/users/database.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { SIZES } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { useLocalCredentials } from '../../../tools/local/environment.ts';

/** A line that a worker prints: it is about to write, or a write is done. */
export interface Said {
  write: string;
  /** Absent before a create: the id is not known yet. */
  id?: number;
  /** The name of the user after the write. null if it is deleted. */
  name: string | null;
  isDone: boolean;
}

const WRITERS = 4;
const LAST_NAMES = ['Smith', 'Smithers', 'Lee', 'Li', 'Ab'];

/** Written synchronously: a kill neither cuts nor delays a line. */
const say = (said: Said): void => {
  writeSync(1, `${JSON.stringify(said)}\n`);
};

/**
 * Undefined if the store is down, and if the user is gone: a killed store forgets the tokens of transactions, so a delete whose
 * response was lost may find no user.
 */
async function patiently<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError && [404, 503].includes(error.status))) throw error;
    return undefined;
  }
}

async function write(database: Database, name: string): Promise<void> {
  const users = createUserStore(database);
  const mine: number[] = [];
  for (let i = 0; ; i++) {
    const write = `${name}-${i}`;
    const fields = { name: write, lastName: LAST_NAMES[i % 5] ?? '', status: i % 2 ? 'on' : 'off', country: 'DE' };
    const id = i % 3 === 0 ? undefined : mine[i % mine.length];
    if (id === undefined) {
      say({ write, name: write, isDone: false });
      const user = await patiently(() => users.create(fields));
      if (user) mine.push(user.id);
      if (user) say({ write, id: user.id, name: write, isDone: true });
    } else if (i % 7 === 0) {
      say({ write, id, name: null, isDone: false });
      const isDone = await patiently(() => users.delete(id).then(() => true));
      if (isDone) say({ write, id, name: null, isDone });
      // The result is unknown, so this user is not written again.
      mine.splice(mine.indexOf(id), 1);
    } else {
      say({ write, id, name: write, isDone: false });
      const user = await patiently(() => users.update(id, () => fields));
      if (user) say({ write, id, name: write, isDone: true });
      else mine.splice(mine.indexOf(id), 1);
    }
    await systemRuntime.sleep(20);
  }
}

async function keepFolding(database: Database): Promise<void> {
  for (;;) {
    await patiently(() =>
      createFold(database, { minimumAgeMs: 200, writtenToDeleteMs: 50, restMs: 0, historyDays: 7 }).run(2_000),
    );
    await systemRuntime.sleep(50);
  }
}

const [role, name = '', endpoint = '', users = '', directory = ''] = process.argv.slice(2);
if (role !== undefined) {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const sizes = { ...SIZES, nodeBytes: 400, segmentUsers: 20, sumUsers: 80 };
  const database = { dynamo: createDynamo({ endpoint }), tables: { users, directory }, runtime: systemRuntime, sizes };
  if (role === 'fold') void keepFolding(database);
  else for (let i = 0; i < WRITERS; i++) void write(database, `${name}-${i}`);
}
