/** A PostgreSQL of its own for one run, with the users: in a temporary folder, on a free port of loopback. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { folded, plain, type Row, type Value, valueIn } from '../../lib/columns/index.ts';
import { systemRuntime } from '../../lib/ground/index.ts';
import { foldAddress } from '../../lib/users/mailbox.ts';
import { KINDS, WORD_FIELDS } from '../../lib/users/user.ts';
import { freePort } from '../../tools/local/port.ts';

const USUAL = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/usr/local/pgsql/bin'];
const START_TRIES = 300;
const POLL_MS = 100;
const ROWS_AT_ONCE = 20_000;

/** As much memory as the other side has and more, and nothing is synced to disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=512MB',
  'work_mem=64MB',
  'maintenance_work_mem=512MB',
  'max_wal_size=8GB',
  'plan_cache_mode=force_custom_plan',
  'fsync=off',
];

/** The folder of its programs; the newest, if several are installed. */
export function findPostgres(): string | undefined {
  const folders = [...globSync(USUAL).toSorted().toReversed(), ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** It refuses to run as root. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string, name: string) => Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout);
  const name = ['postgres', 'nobody'].find((each) => idOf('-u', each) > 0);
  if (name === undefined) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  return { uid: idOf('-u', name), gid: idOf('-g', name) };
}

async function connect(port: number, tries = START_TRIES): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (tries === 0) throw error;
    await systemRuntime.sleep(POLL_MS);
    return connect(port, tries - 1);
  }
}

/** @param programs the folder of its programs */
export async function startPostgres(
  programs: string,
): Promise<{ client: Client; folder: string; stop(): Promise<void> }> {
  const user = otherUser();
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const initialize = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '-D', 'data'];
  execFileSync(join(programs, 'initdb'), initialize, { cwd: folder, ...user, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const options = ['-D', 'data', '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), options, { cwd: folder, ...user, stdio: 'ignore' });
  // Fast: it ends its connections.
  const kill = () => void server.kill('SIGINT');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    if (server.exitCode === null) await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const client = await connect(port);
    return { client, folder, stop: () => client.end().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

const execute = (client: Client, file: string) => client.query(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** In the order of `table.sql`: the fields, the folded texts, which are NULL and come last where there is none, and all words. */
const FIELDS = ['id', 'name', 'email', 'age', 'firstName', 'lastName', 'status', 'country'];
const FOLDS = { text: (text: string) => folded('text', text), address: foldAddress };
const FOLDED = Object.entries(KINDS).flatMap(([field, kind]) =>
  kind === 'text' || kind === 'address' ? [[field, FOLDS[kind]] as const] : [],
);

const quoted = (value: Value | undefined): string =>
  value === undefined ? '' : `"${String(value).replaceAll('"', '""')}"`;

function lineOf(row: Row): string {
  const texts = FOLDED.map(([field, fold]) => fold(String(valueIn(row, field) ?? '')) || undefined);
  const words = WORD_FIELDS.map((field) => plain(String(valueIn(row, field) ?? ''))).join('\n');
  return [...FIELDS.map((field) => valueIn(row, field)), ...texts, words].map(quoted).join(',');
}

/** @param folder where a file can be that the server reads */
export async function loadPostgres(client: Client, folder: string, rows: Iterable<Row>): Promise<void> {
  await execute(client, './table.sql');
  const file = join(folder, 'users.csv');
  let lines: string[] = [];
  for (const row of rows) {
    if (lines.push(`${lineOf(row)}\n`) < ROWS_AT_ONCE) continue;
    appendFileSync(file, lines.join(''));
    lines = [];
  }
  appendFileSync(file, lines.join(''));
  await client.query(`copy users from '${file}' with (format csv)`);
  await execute(client, './indexes.sql');
  await client.query('vacuum analyze users');
}

/** The total, and the ids of a page. */
export async function askPostgres(client: Client, where: string, by: string, skip: number, take: number) {
  const { rows: counted } = await client.query(`select count(*) from users where ${where}`);
  const page = `select * from users where ${where} order by ${by} limit ${take} offset ${skip}`;
  const { rows } = await client.query(page);
  return { total: Number(counted[0]?.count), ids: rows.map(({ id }) => Number(id)) };
}
