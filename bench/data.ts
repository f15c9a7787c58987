import { createHash } from 'node:crypto';
import { constants, cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Row, replicaFrom } from '../lib/columns/index.ts';
import { type Item, putItems } from '../lib/dynamodb/index.ts';
import { systemRuntime } from '../lib/ground/index.ts';
import { createRepair } from '../lib/replica/index.ts';
import { COLUMNS } from '../lib/users/columns.ts';
import { type Database, userItem } from '../lib/users/database.ts';
import { createIdSource } from '../lib/users/ids.ts';
import type { User } from '../lib/users/user.ts';
import { createMissingTables } from '../tools/deploy/tables.ts';
import { startEmbeddedStore } from '../tools/local/embeddedStore.ts';
import { templateTables } from '../tools/local/templateTables.ts';
import { useLocalCredentials } from '../tools/local/workFolder.ts';
import { loadUsers } from '../tools/samples/loadUsers.ts';
import { people } from '../tools/samples/people.ts';
import { connectTo, TABLES } from './connect.ts';
import { rowsToChange, SEED } from './sample.ts';

const FIRST_CREATION = Date.parse('2024-01-01T00:00:00Z');
const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

/** The embedded store's indexes are never late. */
export const FOLD_AT_ONCE = { minimumAgeMs: 0, readWithinMs: 0, restMs: 0 };
export const UNTIL_ALL_IS_FOLDED = Number.POSITIVE_INFINITY;

export interface Store {
  endpoint: string;
  database: Database;
  stop(): Promise<void>;
}

async function openStore(folder: string): Promise<Store> {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const { endpoint, stop } = await startEmbeddedStore(`${folder}/store.db`);
  const client = new DynamoDBClient({ endpoint });
  await createMissingTables(client, templateTables(TABLES)).finally(() => client.destroy());
  return { endpoint, database: connectTo(endpoint), stop };
}

/** A clock by which `users` users are created at a steady rate. */
function clockOf(users: number): () => number {
  let drawn = 0;
  return () => FIRST_CREATION + Math.floor((drawn++ / users) * TWO_YEARS_MS);
}

export const idsOf = (users: number): (() => number) => createIdSource({ ...systemRuntime, now: clockOf(users) });

/** From more users on, only those who will be written to are in the table: all are in the base, so lists have them. */
const ALL_STORED = 100_000;

/** Writes a base of all users, and the items of those who will change. */
async function loadBaseOnly(database: Database, nextUser: () => User, users: number): Promise<void> {
  const changing = new Set(rowsToChange(users));
  const items: Item[] = [];
  function* rows(): Generator<Row> {
    for (let i = 0; i < users; i++) {
      const { version, ...row } = nextUser();
      if (changing.has(i)) items.push(userItem({ ...row, version }));
      yield row;
    }
  }
  const replica = replicaFrom(COLUMNS, rows());
  await putItems(database, database.tables.users, items);
  const stored = createRepair(database);
  await stored.rebuild(await stored.begin(), replica);
}

async function fill(database: Database, users: number): Promise<void> {
  process.stderr.write(`Filling a store with ${users} users, once\n`);
  const source = people(SEED);
  if (users <= ALL_STORED) return loadUsers(database, source, { users, now: clockOf(users) });
  const nextId = idsOf(users);
  await loadBaseOnly(database, () => ({ id: nextId(), version: 1, ...source.next().value }), users);
}

/** The sources that decide what is stored. When one of them changes, the stores are filled again. */
const WHAT_IS_STORED = [
  ...['tools/samples/people.ts', 'tools/samples/people/*', 'bench/sample.ts'],
  ...[
    'lib/columns/stored/bytes.ts',
    'lib/columns/stored/pack.ts',
    'lib/columns/stored/codes.ts',
    'lib/replica/storedBase.ts',
  ],
  ...['lib/users/ids.ts', 'lib/users/indexes.ts', 'lib/users/database.ts'],
];

/** @throws {Error} when a source is not there any more: its name here must follow it */
function sourcesLike(pattern: string): string[] {
  const found = globSync(pattern);
  if (found.length === 0) throw new Error(`No file is like ${pattern}: say in bench/data.ts where it is now`);
  return found;
}

export function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of WHAT_IS_STORED.flatMap(sourcesLike).sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}

/** The folder of a store with `users` users, who are always the same. It is filled once, and never written after that. */
async function filledFolder(users: number): Promise<string> {
  const folder = `.local/bench-${users}-${fingerprint()}`;
  if (existsSync(folder)) return folder;
  const unfinished = `.local/bench-${users}-unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const { database, stop } = await openStore(unfinished);
  await fill(database, users).finally(stop);
  renameSync(unfinished, folder);
  return folder;
}

/** A store with `users` users, for one run to write to. */
export async function openData(users: number): Promise<Store> {
  const own = `.local/bench-run-${process.pid}`;
  cpSync(await filledFolder(users), own, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const store = await openStore(own);
  return { ...store, stop: () => store.stop().finally(() => rmSync(own, { recursive: true })) };
}
