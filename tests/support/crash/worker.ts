/** A process that writes users and folds, until it is killed. It prints each write before it begins and when it is done. */
import { writeSync } from 'node:fs';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../../lib/runtime.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { SIZES } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { useLocalCredentials } from '../../../tools/local/environment.ts';

/** A line that a worker prints: it is about to write, or a write is done. */
export interface Said {
  /** Absent before a create: the id is not known yet. */
  id?: number;
  /** The name of the user after the write. null if it is deleted. */
  name: string | null;
  isDone: boolean;
}

const WRITERS = 4;

useLocalCredentials();
const [me, endpoint = '', users = '', directory = ''] = process.argv.slice(2);
const sizes = { ...SIZES, nodeBytes: 400, segmentUsers: 20, sumUsers: 80 };
const dynamo = createDynamo({ endpoint, region: 'local' });
const database = { dynamo, tables: { users, directory }, runtime: systemRuntime, sizes, uniqueEmails: false };
const store = createUserStore(database);

/** Written synchronously: a kill neither cuts nor delays a line. */
const say = (said: Said): void => {
  writeSync(1, `${JSON.stringify(said)}\n`);
};

async function write(writer: number): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `${me}-${writer}-${i}`;
    const fields = {
      name,
      lastName: ['Smith', 'Smithers', 'Lee'][i % 3] ?? '',
      status: i % 2 ? 'on' : 'off',
      country: 'DE',
    };
    say({ name, isDone: false });
    const { id } = await store.create(fields);
    say({ id, name, isDone: true });
    say({ id, name: `${name} changed`, isDone: false });
    await store.update(id, () => ({ ...fields, name: `${name} changed` }));
    say({ id, name: `${name} changed`, isDone: true });
    if (i % 2 === 0) continue;
    say({ id, name: null, isDone: false });
    await store.delete(id);
    say({ id, name: null, isDone: true });
  }
}

for (let writer = 0; writer < WRITERS; writer++) void write(writer);
const fold = createFold(database, { minimumAgeMs: 200, writtenToDeleteMs: 50, restMs: 0, historyDays: 7 });
for (;;) await fold.run(2_000);
