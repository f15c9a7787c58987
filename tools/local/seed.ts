/** `npm run seed -- --users 5000`: fills the store of the service that runs on this machine. */
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { inParallel, systemRuntime } from '../../lib/ground/index.ts';
import { type Database, LIMITS } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { hasFlag, isEmpty } from '../../lib/users/unique.ts';
import { confirm } from '../program/confirm.ts';
import { FLAG, readInteger, readOptions, readPort, TEXT } from '../program/options.ts';
import { createProgress } from '../program/progress.ts';
import { counted, runMain, Stop, say } from '../program/stop.ts';
import { arrivalsUntil } from '../samples/arrivals.ts';
import { loadUsers } from '../samples/loadUsers.ts';
import { people } from '../samples/people.ts';
import { onPort, useService } from './workFolder.ts';

const USAGE = `Usage: npm run seed -- [--users 1000] [--seed 1] [--port 3000] [--add]
  --users <n>  the number of users to add, 1,000 by default; from 10,000 on in bulk, so lists have them only at the end
  --seed <n>   another number makes other people
  --port <n>   of the service; otherwise PORT in the environment, or 3000
  --add        does not ask before it adds to users who are there already`;

const OPTIONS = {
  users: { ...TEXT, default: '1000' },
  seed: { ...TEXT, default: '1' },
  port: TEXT,
  add: FLAG,
};

const PARALLEL = 8;

/** From this number of users, they are written in bulk, and lists have them afterwards. */
const BULK = 10_000;

/** A seed has always the same people: who runs it twice has each of them twice. @throws {Stop} unless that is wanted */
async function askBeforeAdding(database: Database, users: number): Promise<void> {
  if (await isEmpty(database)) return;
  const there = `There are users already, and this adds ${counted(users, 'user')}`;
  const wanted = await confirm(`${there}. Go on`);
  if (wanted === undefined) throw new Stop(`${there}. Say --add if you want it. See npm run seed -- --help`);
  if (!wanted) throw new Stop('Nothing was added');
}

async function seed(): Promise<number> {
  const { add, port, ...options } = readOptions(OPTIONS, USAGE);
  const users = readInteger('--users', options.users, 1, USAGE);
  const source = people(readInteger('--seed', options.seed, 0, USAGE));
  const service = useService(readPort(port, USAGE));

  // The users get ids of the last two years, in this order.
  const momentOf = arrivalsUntil(systemRuntime.now());
  let drawn = 0;
  const now = () => momentOf(drawn++ / users);
  const dynamo = createDynamo({ endpoint: service.endpoint, isUnhurried: true });
  const database = { dynamo, tables: service.tables, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS };
  if (await hasFlag(database)) throw new Stop('E-mails are unique at this service, and people of the seed share some');
  if (!add) await askBeforeAdding(database, users);
  if (users >= BULK)
    say(
      `Until it ends, lists lack these users. If it is interrupted: npm run verify -- --repair${onPort(service.port)}`,
    );
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
