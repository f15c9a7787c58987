/** `npm run bench`: see bench/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { FLAG, readInteger, readOptions, TEXT, TEXTS } from '../tools/program/options.ts';
import { orEnd } from '../tools/program/stop.ts';
import { measureBeside, measureFold } from './beside.ts';
import { openData, type Store } from './data.ts';
import { measureEnd } from './end.ts';
import { compareEngines } from './engines.ts';
import { type Figures, type Measurement, repeated } from './figures.ts';
import { measureRush } from './herd/rush.ts';
import { measureHerd } from './herd/variants.ts';
import { measureLarge } from './large.ts';
import { replaceSection } from './markdown.ts';
import { measurePeer } from './peer/peer.ts';
import { findPostgres } from './peer/postgres.ts';
import { measureTables } from './print.ts';
import { PAGES, report } from './report.ts';
import { merged, toFile } from './results.ts';
import { measureSize } from './size.ts';
import { summary } from './summary.ts';
import { TABLES } from './tables.ts';

const LARGEST_SIZE = 100_000;
const SIZES = [1_000, 10_000, LARGEST_SIZE];
const QUICK_SIZES = [300, 1_000];
const MILLION = 1_000_000;
/** A rush begins with few users: it creates sixty thousand. */
const RUSH_SIZE = 1_000;
const END_SIZES = [MILLION, 3 * MILLION, 5 * MILLION];
/** For how long there are creates while the fold runs. */
const LOAD_SECONDS = 180;
const QUICK_LOAD_SECONDS = 20;
const RESULTS = 'bench/results.json';
const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8'));

const USAGE = `Usage: npm run bench, which measures 1,000, 10,000 and 100,000 users
  --quick        measures 300 and 1,000 users with fewer questions, and only prints
  --users <n>    measures this size instead; may be repeated
  --million      measures a million users
  --pace         measures the fold, and requests beside creates
  --seconds <n>  with --pace: the length, 180 by default
  --creates <n>  with --pace: creates a second, 100 by default
  --peer         asks a PostgreSQL the same, if one is installed
  --large        asks lists from OpenSearch the same as those from the replica, at 100,000 users; with --million then at a million (needs a JDK)
  --engines      asks SQLite and DuckDB the same as lib/columns, at 100,000 rows, and only prints
  --end          measures one, three and five million users in a process of their own each
  --herd         simulates many new containers at once, and a thousand creates a second for a minute
  --runs <n>     measures n times, and shows the least and the most of each number
  --render       measures nothing, and writes the tables from bench/results.json
bench/README.md says what the numbers mean.`;
const OPTIONS = {
  ...{ quick: FLAG, million: FLAG, render: FLAG, users: TEXTS },
  ...{
    pace: FLAG,
    peer: FLAG,
    engines: FLAG,
    large: FLAG,
    end: FLAG,
    herd: FLAG,
    seconds: TEXT,
    creates: { ...TEXT, default: '100' },
    runs: { ...TEXT, default: '1' },
  },
};
const values = orEnd(() => {
  const { users, seconds, creates, runs, ...flags } = readOptions(OPTIONS, USAGE);
  const number = (name: string, text: string) => readInteger(name, text, 1, USAGE);
  return {
    ...flags,
    users: users?.map((size) => number('--users', size)),
    seconds: seconds === undefined ? undefined : number('--seconds', seconds),
    creates: number('--creates', creates),
    runs: number('--runs', runs),
  };
});

const postgres = values.peer ? findPostgres() : undefined;
if (values.peer && !postgres) process.stderr.write('No PostgreSQL is installed here, so nothing is compared\n');

function sizes(): number[] {
  if (values.render || values.engines || (values.peer && !postgres)) return [];
  if (values.users) return values.users;
  if (values.large) return [LARGEST_SIZE, ...(values.million ? [MILLION] : [])];
  if (values.end) return END_SIZES;
  if (values.herd) return [RUSH_SIZE, MILLION];
  if (values.million) return [MILLION];
  const all = values.quick ? QUICK_SIZES : SIZES;
  return values.pace || values.peer ? all.slice(-1) : all;
}

/** Each has a fresh store: what another one leaves behind, such as a long write-ahead log, makes it slower. */
async function withStore<Result>(users: number, measure: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openData(users);
  return measure(store).finally(store.stop);
}

function measure(users: number): Promise<Measurement['tables']> {
  const { quick, creates, runs, seconds = quick ? QUICK_LOAD_SECONDS : LOAD_SECONDS } = values;
  const load = { seconds, rate: creates };
  const on = (each: (store: Store) => Promise<Figures>) => repeated(runs, () => withStore(users, each));
  process.stderr.write(`${users.toLocaleString('en-US')} users\n`);
  if (values.end) return measureTables({ 'Millions of users in one process': () => measureEnd(users) });
  if (values.large) {
    const fewer = users > LARGEST_SIZE ? measured.get(LARGEST_SIZE)?.tables['Lists from OpenSearch'] : undefined;
    return measureTables({
      'Lists from OpenSearch': () => withStore(users, ({ database }) => measureLarge(database, users, fewer)),
    });
  }
  if (postgres) return measureTables({ 'Beside PostgreSQL': on((store) => measurePeer(store, postgres)) });
  if (values.herd && users === RUSH_SIZE)
    return measureTables({ 'A thousand creates a second, for a minute': () => withStore(users, measureRush) });
  if (values.herd)
    return measureTables({
      'New containers at once, on a store that throttles': () => measureHerd((each) => withStore(users, each)),
    });
  if (!values.pace) return withStore(users, (store) => measureSize(store, quick, runs));
  return measureTables({
    'The fold alone, warm, with a backlog of creates': on((store) => measureFold(store, quick)),
    'Beside 100 creates a second, in the last minute': on((store) => measureBeside(store, load)),
  });
}

function write(measurements: readonly Measurement[]): void {
  writeFileSync(RESULTS, toFile(measurements));
  for (const [page, titles] of PAGES) replaceSection(page, 'figures', report(measurements, titles));
  replaceSection('README.md', 'speed', summary(measurements));
}

if (values.engines) for (const users of values.users ?? SIZES.slice(-1)) compareEngines(users);

/** Sizes that are not measured now stay as they were recorded. */
const measured = new Map<number, Measurement>();
if (!values.quick) {
  const recorded: Measurement[] = JSON.parse(readFileSync(RESULTS, 'utf8'));
  for (const measurement of recorded) measured.set(measurement.users, merged(undefined, measurement));
}
for (const users of sizes()) {
  const tables = await measure(users);
  const versions = Object.fromEntries(Object.keys(tables).map((title) => [title, VERSION]));
  measured.set(users, merged(measured.get(users), { users, versions, tables }));
  const all = [...measured.values()].toSorted((a, b) => a.users - b.users);
  if (!values.quick) write(all);
  else process.stdout.write(`\n${report(all, Object.keys(TABLES))}\n`);
}
if (values.render) write([...measured.values()]);
