/** `npm run seed -- --users 5000`: fills the store of the service that runs on this machine. */
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { people } from '../../bench/people.ts';
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { optionalVariable, systemRuntime } from '../../lib/runtime.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { useLocalCredentials } from './environment.ts';
import { findService } from './workFolder.ts';

const DEFAULT_PORT = 3000;
const DEFAULT_USERS = 1_000;
const DEFAULT_SEED = 1;
const CHUNK = 50;

/** From this number of users, they are written in bulk, and the statistics are computed afterwards. */
const BULK = 10_000;
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

function readOptions(): { users: number; seed: number } {
  const { values } = parseArgs({ options: { users: { type: 'string' }, seed: { type: 'string' } } });
  const users = Number(values.users ?? DEFAULT_USERS);
  const seed = Number(values.seed ?? DEFAULT_SEED);
  if (!Number.isSafeInteger(users) || users < 1) throw new Error('--users must be a positive integer');
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed must be a non-negative integer');
  return { users, seed };
}

function take(count: number, source: Iterator<UserFields>): UserFields[] {
  return Array.from({ length: count }, () => source.next().value);
}

async function seed(): Promise<void> {
  const options = readOptions();
  const service = findService(Number(optionalVariable('PORT') ?? DEFAULT_PORT));
  useLocalCredentials();
  process.env.AWS_REGION = service.region;

  // The users get ids of the last two years, in this order.
  const start = systemRuntime.now();
  let drawn = 0;
  const now = () => start - Math.round(TWO_YEARS_MS * (1 - drawn++ / options.users));
  const dynamo = createDynamo({ endpoint: service.endpoint, ...UNHURRIED });
  const database = { dynamo, tables: service.tables, runtime: systemRuntime, sizes: SIZES };

  const bar = new SingleBar({
    format: '{bar} {value}/{total} users, {eta_formatted} left',
    noTTYOutput: true,
    notTTYSchedule: 1_000,
  });
  bar.start(options.users, 0);
  const source = people(options.seed);
  try {
    if (options.users >= BULK) {
      await loadUsers(database, source, { users: options.users, now, onLoaded: (users) => bar.update(users) });
    } else {
      const store = createUserStore(database, createIdSource({ ...systemRuntime, now }));
      for (let written = 0; written < options.users; ) {
        written += (await store.createMany(take(Math.min(CHUNK, options.users - written), source))).length;
        bar.update(written);
      }
    }
  } finally {
    // Its timer would keep the process running.
    bar.stop();
  }
  const seconds = (systemRuntime.now() - start) / 1_000;
  process.stdout.write(
    `${options.users} users in ${seconds.toFixed(1)} s: ${Math.round(options.users / seconds)} per second\n`,
  );
}

seed().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
