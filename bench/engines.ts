/**
 * `npm run bench -- --engines`: the same rows, questions and answers in the columns of this project, in Node's SQLite, and in DuckDB if
 * `@duckdb/node-api` is installed. Each engine has a process of its own; times are processor time, all threads together.
 */
import { execFileSync } from 'node:child_process';
import {
  type FieldKind,
  folded,
  type Order,
  open,
  pack,
  pageOf,
  type Question,
  type Row,
  replicaFrom,
} from '../lib/columns/index.ts';
import { foldAddress } from '../lib/users/mailbox.ts';
import { KINDS as FIELD_KINDS } from '../lib/users/user.ts';
import { people } from '../tools/samples/people.ts';
import { median } from './figures.ts';
import { PAGE_SIZE, SEED } from './sample.ts';

/** The number of answers that are timed, after as many that are not. */
const ROUNDS = 9;
const MB = 1e6;

interface Asked {
  readonly question: Question;
  /** The same in SQL. Texts ignoring case are in a column whose name ends with an underline. */
  readonly where: string;
  readonly order: readonly string[];
  /** The share of the rows before the page. */
  readonly depth: number;
}

const asked = (order: string, depth = 0, where = 'true', question: Question = {}): Asked => ({
  ...{ question, where, depth },
  order: order.split(' '),
});
const QUESTIONS: Readonly<Record<string, Asked>> = {
  'first page by name': asked('name'),
  'a status by e-mail, half way': asked('email', 0.25, "status = 'active'", {
    where: [{ field: 'status', ask: { any: ['active'] } }],
  }),
  'names with "an" by age': asked('age', 0, "name_ like '%an%'", {
    where: [{ field: 'name', ask: { substrings: ['an'], at: 'includes' } }],
  }),
  'by country, age from high to low, and name, half way': asked('country -age name', 0.5),
};

const orderOf = ({ order }: Asked): Order => [
  ...order.map((each) => ({ property: each.replace('-', ''), descending: each.startsWith('-') })),
  { property: 'id', descending: false },
];

const isFolded = (field: string): boolean => FIELD_KINDS[field as keyof typeof FIELD_KINDS] !== 'number';

function sqlOf(given: Asked, users: number): string {
  const steps = orderOf(given).flatMap(({ property, descending }) => {
    const way = descending ? 'desc nulls first' : 'nulls last';
    if (property === 'id') return ['id'];
    if (!isFolded(property)) return [`${property} ${way}`];
    const isExact = KINDS[property as keyof typeof KINDS] === 'exact';
    return isExact ? [`${property}_ ${way}`, `${property} ${way}`] : [`${property}_ ${way}`];
  });
  const skip = Math.floor(given.depth * users);
  return `select id from users where ${given.where} order by ${steps} limit ${PAGE_SIZE} offset ${skip}`;
}

/** The fields of a row with their folded forms, in the order of the table. */
/** The kinds of fields, as columns have them. */
const KINDS: Record<string, FieldKind> = Object.fromEntries(
  Object.entries(FIELD_KINDS).map(([field, kind]) => [
    field,
    kind === 'address' ? { name: kind, fold: foldAddress } : kind,
  ]),
);

const FIELDS = Object.keys(FIELD_KINDS);
const COLUMNS = ['id', ...FIELDS, ...FIELDS.filter(isFolded).map((field) => `${field}_`)];
const TABLE = `create table users (${COLUMNS.map((name) =>
  name === 'id' ? 'id bigint primary key' : `${name} ${isFolded(name.replace(/_$/, '')) ? 'varchar' : 'double'}`,
)})`;

function cellsOf(row: Row): (string | number | null)[] {
  const values = FIELDS.map((field) => (row[field] as string | number | undefined) ?? null);
  const texts = FIELDS.filter(isFolded).map((field) => {
    return row[field] === undefined ? null : folded(KINDS[field] ?? 'text', row[field] as string);
  });
  return [row.id, ...values, ...texts];
}

function* rows(users: number): Generator<Row> {
  const source = people(SEED);
  for (let id = 1; id <= users; id++) {
    const { attributes: _, ...fields } = source.next().value;
    yield { id, ...fields };
  }
}

/** An engine with all rows: asks a question, and says the total and the ids of the page. */
type Ask = (given: Asked) => Promise<{ total: number; ids: number[] }>;

/** The total, and a page, each by a query of its own: a page with the count beside each row would read all rows. */
const askSql =
  (users: number, query: (sql: string) => Promise<Record<string, unknown>[]>): Ask =>
  async (given) => {
    const [counted] = await query(`select count(*) as total from users where ${given.where}`);
    const page = await query(sqlOf(given, users));
    return { total: Number(counted?.total), ids: page.map(({ id }) => Number(id)) };
  };

const ENGINES: Record<string, (users: number) => Promise<Ask>> = {
  async columns(users) {
    const { bytes, checksum } = pack(replicaFrom(KINDS, rows(users)));
    const replica = open(KINDS, [bytes], checksum);
    return async (given) => {
      const skip = Math.floor(given.depth * users);
      const page = pageOf(replica, given.question, orderOf(given), skip, PAGE_SIZE);
      return { total: page.total, ids: page.rows.map(({ id }) => id) };
    };
  },
  async SQLite(users) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(':memory:');
    database.exec(`${TABLE}; begin`);
    const insert = database.prepare(`insert into users values (${COLUMNS.map(() => '?')})`);
    for (const row of rows(users)) insert.run(...cellsOf(row));
    database.exec('commit');
    for (const name of COLUMNS.slice(1 + FIELDS.length)) database.exec(`create index by_${name} on users (${name})`);
    return askSql(users, async (sql) => database.prepare(sql).all());
  },
  async DuckDB(users) {
    const name: string = '@duckdb/node-api';
    const { DuckDBInstance } = await import(name);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(TABLE);
    const appender = await connection.createAppender('users');
    for (const row of rows(users)) {
      for (const [i, cell] of cellsOf(row).entries()) {
        if (cell === null) appender.appendNull();
        else if (i === 0) appender.appendBigInt(BigInt(cell));
        else if (typeof cell === 'number') appender.appendDouble(cell);
        else appender.appendVarchar(cell);
      }
      appender.endRow();
    }
    appender.closeSync();
    return askSql(users, async (sql) => (await connection.runAndReadAll(sql)).getRowObjects());
  },
};

/** Milliseconds of processor time. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

async function measure(engine: string, users: number): Promise<void> {
  const empty = process.memoryUsage.rss();
  const ask = await ENGINES[engine]?.(users);
  if (!ask) throw new Error(`No engine is called ${engine}`);
  const figures: Record<string, number> = {};
  const answers: unknown[] = [];
  for (const [title, given] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    for (let round = 0; round < 2 * ROUNDS; round++) times.push(await timed(() => ask(given)));
    figures[title] = median(times.slice(ROUNDS));
    answers.push(await ask(given));
  }
  figures['megabytes of memory'] = Math.round((process.memoryUsage.rss() - empty) / MB);
  process.stdout.write(JSON.stringify({ figures, answers }));
}

/** Prints a table. @throws {Error} when answers differ */
export function compareEngines(users: number): void {
  const measured = new Map<string, { figures: Record<string, number>; answers: unknown }>();
  for (const engine of Object.keys(ENGINES)) {
    try {
      const out = execFileSync(process.execPath, [import.meta.filename, engine, String(users)], { encoding: 'utf8' });
      measured.set(engine, JSON.parse(out));
    } catch (error) {
      if (engine !== 'DuckDB') throw error;
      process.stderr.write('DuckDB is left out: npm install --no-save @duckdb/node-api\n');
    }
  }
  const [own] = measured.values();
  for (const [engine, { answers }] of measured)
    if (JSON.stringify(answers) !== JSON.stringify(own?.answers)) throw new Error(`${engine} answers otherwise`);
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(`\n${line([`${users} rows`, ...measured.keys()])}|---|${'--:|'.repeat(measured.size)}\n`);
  for (const title of Object.keys(own?.figures ?? {}))
    process.stdout.write(line([title, ...[...measured.values()].map(({ figures }) => figures[title] ?? '')]));
}

const [, , engine = '', size] = process.argv;
if (import.meta.main && size) await measure(engine, Number(size));
