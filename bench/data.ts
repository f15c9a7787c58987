import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SingleBar } from 'cli-progress';
import { parse } from 'yaml';
import { createDynamo } from '../lib/dynamodb/client.ts';
import { startEmbeddedStore } from '../lib/local/embeddedStore.ts';
import { people } from '../lib/local/people.ts';
import { createMissingTables, tableDefinitions } from '../lib/local/tables.ts';
import { systemRuntime } from '../lib/runtime.ts';
import { readCounts } from '../lib/users/statistics/counts.ts';
import { createUserStore } from '../lib/users/store.ts';

export const TABLES = { users: 'bench-users', directory: 'bench-directory' };

const SEED = 1;
const CHUNK = 500;
const FIRST_CREATION = Date.parse('2024-01-01T00:00:00Z');
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

function definitions() {
  const template = readFileSync(new URL('../lib/dynamodb/tables.yml', import.meta.url), 'utf8')
    .replaceAll('${self:custom.tables.users}', TABLES.users)
    .replaceAll('${self:custom.tables.directory}', TABLES.directory);
  return tableDefinitions(parse(template).Resources);
}

async function openStore(file: string) {
  const store = await startEmbeddedStore(file);
  try {
    const client = new DynamoDBClient({ endpoint: store.endpoint });
    await createMissingTables(client, definitions());
    client.destroy();
    return store;
  } catch (error) {
    await store.stop();
    throw error;
  }
}

async function countUsers(endpoint: string): Promise<number> {
  const cells = await readCounts(createDynamo({ endpoint }), TABLES);
  return cells.reduce((sum, { users }) => sum + users, 0);
}

async function fill(endpoint: string, users: number): Promise<void> {
  let drawn = 0;
  const now = () => FIRST_CREATION + Math.floor((drawn++ / users) * TWO_YEARS_MS);
  const store = createUserStore({
    dynamo: createDynamo({ endpoint }),
    tables: TABLES,
    runtime: { ...systemRuntime, now },
  });
  const bar = new SingleBar({
    format: '{bar} {value}/{total} users, {eta_formatted} left',
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  });
  bar.start(users, 0);
  const source = people(SEED);
  for (let written = 0; written < users; ) {
    const chunk = Array.from({ length: Math.min(CHUNK, users - written) }, () => source.next().value);
    written += (await store.createMany(chunk)).length;
    bar.update(written);
  }
  bar.stop();
}

/** Other people make other data, of the same size. */
function fingerprint(): string {
  const source = people(SEED);
  const sample = Array.from({ length: 1_000 }, () => source.next().value);
  return createHash('sha256').update(JSON.stringify(sample)).digest('hex').slice(0, 8);
}

/** A store with exactly this many users, always the same: from its data file when there is one, else filled now. */
export async function openData(users: number) {
  const file = `.local/bench-${users}-${fingerprint()}.db`;
  mkdirSync('.local', { recursive: true });
  if (existsSync(file)) {
    const store = await openStore(file).catch(() => undefined);
    if (store && (await countUsers(store.endpoint)) === users) return store;
    await store?.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
  const store = await openStore(file);
  await fill(store.endpoint, users);
  return store;
}
