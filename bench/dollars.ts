/** `npm run bench:dollars`: what a stage costs a month, from the recorded units and a table of prices. See bench/README.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { METRICS } from '../lib/log.ts';
import { readOptions } from '../tools/import/options.ts';
import { orEnd } from '../tools/import/stop.ts';
import type { Measurement } from './figures.ts';
import { number, replaceSection, table } from './markdown.ts';
import { PRICES } from './prices.ts';
import type { Title } from './tables.ts';

/** The requests of each user of a stage in a month. */
const LOAD = { reads: 30, lists: 3, patches: 1, creates: 0.1 };

/**
 * Assumed: nothing was measured on AWS. One list of a hundred meets a new container. A fold with a batch waits for three seconds; at most
 * one a minute has one. A kept change has so many bytes, with its share of the feed.
 */
const ASSUMED = {
  secondsOfOne: 0.02,
  secondsOfList: 0.03,
  newContainers: 0.01,
  secondsOfStart: 0.6,
  secondsOfFold: 0.05,
  secondsOfBatch: 3.5,
  bytesOfChange: 700,
  loggedBytes: 1_200,
};

const WRITES: Title = 'Writes, in their requests';
const NEW: Title = 'A new container, with 3 % changed';
const WHOLE: Title = 'The price of a create, whole';

const GB = { one: 512 / 1_024, list: 1_769 / 1_024 };
const MINUTES = 30 * 24 * 60;

/** What a user takes in the table and three indexes, with 100 bytes of DynamoDB's for each of the four: of 1,000 users in November 2026. */
const BYTES_OF_USER = 943;

/** What CloudWatch charges in a month for a stage without events, logs left out. API Gateway's metrics of a stage are free. */
export function monitoring(): number {
  const { EventsAlarm, ...resources } = parse(readFileSync('tools/deploy/monitoring.yml', 'utf8'), {
    logLevel: 'silent',
    merge: true,
  }).Resources;
  const text = JSON.stringify(resources);
  const alarmed = text.match(/"MetricStat"/g)?.length ?? 0;
  const own = Object.keys(METRICS).filter((name) => !/events/i.test(name)).length;
  return alarmed * PRICES.alarmedMetric + own * PRICES.metric + PRICES.dashboard;
}

/** Dollars a month, by what they are for. */
export function dollarsOf({ users, tables }: Measurement): [name: string, dollars: number][] {
  const read = (title: Title, line: string): number => tables[title]?.[line]?.one ?? tables[title]?.[line]?.median ?? 0;
  const of = (each: number): number => each * users;
  const [reads, lists, patches, creates] = [of(LOAD.reads), of(LOAD.lists), of(LOAD.patches), of(LOAD.creates)];
  const [writes, requests] = [patches + creates, reads + lists + patches + creates];
  const starts = lists * ASSUMED.newContainers;
  const folds = MINUTES + writes;

  const [create, patch] = [read(WRITES, 'create'), read(WRITES, 'patch of the age')];
  const later = Math.max(0, read(WHOLE, 'write units, at 1 a second') - create);
  const writeUnits = creates * (create + later) + patches * (patch + later);
  // A user and a warm list take one, and a fold reads the journal.
  const readUnits =
    reads + lists + folds + starts * read(NEW, 'read units') + writes * read(WHOLE, 'read units, at 1 a second');
  const bytes =
    of(BYTES_OF_USER + read('What is stored', 'bytes of a user in the base')) + writes * ASSUMED.bytesOfChange;
  const secondsOfStart = ASSUMED.secondsOfStart + read(NEW, 'first page by name, milliseconds') / 1_000;
  const secondsOfFolds = folds * ASSUMED.secondsOfFold + Math.min(writes, MINUTES) * ASSUMED.secondsOfBatch;
  const gbSeconds =
    (requests - lists) * ASSUMED.secondsOfOne * GB.one +
    (lists * ASSUMED.secondsOfList + starts * secondsOfStart + secondsOfFolds) * GB.list;
  return [
    ['DynamoDB, reads', readUnits * PRICES.readUnit],
    ['DynamoDB, writes, with all that is done later', writeUnits * PRICES.writeUnit],
    ['DynamoDB, storage and point-in-time recovery', (bytes / 1e9) * (PRICES.storedGb + PRICES.backedUpGb)],
    ['API Gateway', requests * PRICES.apiRequest],
    ['Lambda', (requests + folds) * PRICES.call + gbSeconds * PRICES.gbSecond],
    [
      'Logs, metrics, alarms and dashboard',
      (((requests + MINUTES) * ASSUMED.loggedBytes) / 1e9) * PRICES.loggedGb + monitoring(),
    ],
  ];
}

const dollars = (value: number): string => (value < 10 ? value.toFixed(2) : number(Math.round(value)));

/** The table of docs/choose.md. */
export function dollarsTable(measurements: readonly Measurement[]): string {
  const measured = measurements.filter(({ users }) => users >= 10_000);
  const shown = [...measured.slice(0, 1).map((any) => ({ ...any, users: 0 })), ...measured];
  const columns = shown.map(dollarsOf);
  const rows = (columns[0] ?? []).map(([name], row) => [
    name,
    ...columns.map((column) => dollars(column[row]?.[1] ?? 0)),
  ]);
  const totals = columns.map((column) => dollars(column.reduce((sum, [, value]) => sum + value, 0)));
  return table(
    ['Dollars a month', ...shown.map(({ users }) => (users === 0 ? 'idle' : `${number(users)} users`))],
    [...rows, ['**All**', ...totals.map((total) => `**${total}**`)]],
  );
}

if (import.meta.main) {
  orEnd(() => readOptions({}, 'Usage: npm run bench:dollars'));
  replaceSection('docs/choose.md', 'dollars', dollarsTable(JSON.parse(readFileSync('bench/results.json', 'utf8'))));
}
