/** `npm run seed -- --users 5000`: fills the store of the service that runs on this machine. */
import { people } from '../../bench/people.ts';
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { inParallel } from '../../lib/parallel.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { hasFlag } from '../../lib/users/emails.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { LIMITS } from '../../lib/users/limits.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { readOptions, TEXT } from '../import/options.ts';
import { createProgress } from '../import/progress.ts';
import { runMain, Stop, say } from '../import/stop.ts';
import { loadUsers } from './loadUsers.ts';
import { useService } from './workFolder.ts';

const USAGE = 'Usage: npm run seed -- [--users 1000] [--seed 1]';
const PARALLEL = 8;

/** From this number of users, they are written in bulk, and lists have them afterwards. */
const BULK = 10_000;
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

function numberFrom(least: number, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) throw new Stop(USAGE);
  return value;
}

async function seed(): Promise<number> {
  const options = readOptions({ users: TEXT, seed: TEXT }, USAGE);
  const users = numberFrom(1, options.users ?? '1000');
  const source = people(numberFrom(0, options.seed ?? '1'));
  const service = useService();

  // The users get ids of the last two years, in this order.
  const start = systemRuntime.now();
  let drawn = 0;
  const now = () => start - Math.round(TWO_YEARS_MS * (1 - drawn++ / users));
  const dynamo = createDynamo({ endpoint: service.endpoint, ...UNHURRIED });
  const database = { dynamo, tables: service.tables, runtime: systemRuntime, limits: LIMITS };
  if (await hasFlag(database)) throw new Stop('E-mails are unique here, and people of the seed share some');
  if (users >= BULK) say('Until it ends, lists lack these users. If it is interrupted: npm run verify -- --repair');
  const progress = createProgress();
  const show = (written: number): void => progress.update('users', written, users);
  try {
    if (users >= BULK) await loadUsers(database, source, { users, now, onLoaded: show });
    else {
      const store = createUserStore(database, createIdSource({ ...systemRuntime, now }));
      let written = 0;
      await inParallel([...Array(users)], PARALLEL, async () => {
        await store.create(source.next().value);
        show(++written);
      });
    }
  } finally {
    // Its timer would keep the process running.
    progress.stop();
  }
  return 0;
}

runMain(seed, 1);
