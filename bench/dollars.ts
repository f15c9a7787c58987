/** `npm run bench:dollars`: what a stage costs a month, from the recorded units and a table of prices. See bench/README.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { METRICS } from '../lib/log.ts';
import type { Measurement } from './figures.ts';
import { BESIDE_OTHERS, type Title } from './lines.ts';
import { number, replaceSection, table } from './markdown.ts';
import { PRICES } from './prices.ts';

/** The requests of each user of a stage in a month. */
const LOAD = { reads: 30, lists: 3, patches: 1, creates: 0.1 };

/** Assumed: nothing was measured on AWS. */
const ASSUMED = { secondsOfOne: 0.02, secondsOfList: 0.06, secondsOfFold: 0.2, loggedBytes: 1_200 };

const GB = { one: 512 / 1_024, list: 1_769 / 1_024 };
const MINUTES = 30 * 24 * 60;

/** What a user takes in both tables and all indexes, with DynamoDB's overhead: read from 100,000 users in November 2026. */
const BYTES_OF_USER = 3_896;

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
export function dollarsOf({ users, figures }: Measurement): [name: string, dollars: number][] {
  const most = (title: Title): number => figures[title]?.units.most ?? Number.NaN;
  const lists = BESIDE_OTHERS.map(most);
  const [reads, pages, patches, creates] = [LOAD.reads, LOAD.lists, LOAD.patches, LOAD.creates].map(
    (n) => n * users,
  ) as [number, number, number, number];
  const readUnits = reads * most('a user by id') + (pages / lists.length) * lists.reduce((sum, units) => sum + units);
  const writeUnits =
    patches * (most('patch of the age, at once') + most('patch of the age, later by the fold, alone')) +
    creates * (most('create, at once') + most('create, later by the fold, alone'));
  const requests = reads + pages + patches + creates;
  const gigabytes = (users * BYTES_OF_USER) / 1e9;
  const gbSeconds =
    (requests - pages) * ASSUMED.secondsOfOne * GB.one +
    pages * ASSUMED.secondsOfList * GB.list +
    (MINUTES + patches + creates) * ASSUMED.secondsOfFold * GB.list;
  return [
    ['DynamoDB, reads', readUnits * PRICES.readUnit],
    ['DynamoDB, writes, with all that is done later', writeUnits * PRICES.writeUnit],
    ['DynamoDB, storage and point-in-time recovery', gigabytes * (PRICES.storedGb + PRICES.backedUpGb)],
    ['API Gateway', requests * PRICES.apiRequest],
    ['Lambda', (requests + MINUTES + patches + creates) * PRICES.call + gbSeconds * PRICES.gbSecond],
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

if (import.meta.main)
  replaceSection('docs/choose.md', 'dollars', dollarsTable(JSON.parse(readFileSync('bench/results.json', 'utf8'))));
