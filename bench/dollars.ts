/** `npm run bench:dollars`: what a stage costs a month, from the recorded units and a table of prices. See bench/README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { parse } from 'yaml';
import { METRICS } from '../lib/log.ts';
import { USERS_INDEXES } from '../lib/users/indexes.ts';
import { openData } from './data.ts';
import type { Measurement } from './figures.ts';
import type { Title } from './lines.ts';
import { number, replaceSection, table } from './markdown.ts';

const STORAGE = 'bench/storage.json';

/** Dollars in us-east-1, as AWS listed them in 2025, without the free tier. */
const PRICES = {
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
  storedGb: 0.25,
  backedUpGb: 0.2,
  apiRequest: 3.5 / 1e6,
  call: 0.2 / 1e6,
  gbSecond: 0.000_013_333_4,
  loggedGb: 0.5,
  metric: 0.3,
  alarmedMetric: 0.1,
  dashboard: 3,
};

/** The requests of each user of a stage in a month. */
const LOAD = { reads: 30, lists: 3, patches: 1, creates: 0.1 };

/** Assumed: nothing was measured on AWS. */
const ASSUMED = { secondsOfOne: 0.02, secondsOfList: 0.06, secondsOfFold: 0.2, loggedBytes: 1_200 };

const GB = { one: 512 / 1_024, list: 1_769 / 1_024 };
const MINUTES = 30 * 24 * 60;

/** DynamoDB adds so many bytes to each item of a table with indexes, and to each item of an index. */
const OVERHEAD = 100;
const BYTES_OF_UNIT = 8_192;

interface Storage {
  users: number;
  /** Includes DynamoDB's overhead. */
  bytes: { users: number; indexes: number; directory: number };
}

/** Reads all tables and indexes once. An index has as many bytes as its Scan reads. */
export async function measureStorage(users: number): Promise<Storage> {
  const { database, stop } = await openData(users);
  const { dynamo, tables } = database;
  async function bytesOf(TableName: string, IndexName?: string): Promise<number> {
    let bytes = 0;
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const {
        Count = 0,
        ConsumedCapacity,
        LastEvaluatedKey,
      } = await dynamo.send(
        new ScanCommand({
          TableName,
          IndexName,
          ExclusiveStartKey,
          Select: 'COUNT',
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      bytes += (ConsumedCapacity?.CapacityUnits ?? 0) * BYTES_OF_UNIT + Count * OVERHEAD;
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return bytes;
  }
  try {
    let indexes = 0;
    for (const { name } of USERS_INDEXES) indexes += await bytesOf(tables.users, name);
    const bytes = { users: await bytesOf(tables.users), indexes, directory: await bytesOf(tables.directory) };
    return { users, bytes };
  } finally {
    await stop();
  }
}

const LISTS: readonly string[] = ['First page by name', 'Page half way by name', 'Keyword "ski" by last name'];

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
export function dollarsOf(
  { users, figures, compared }: Measurement,
  storage: Storage,
): [name: string, dollars: number][] {
  const most = (title: Title): number => figures[title]?.units.most ?? Number.NaN;
  const lists = LISTS.map((title) => compared.find((line) => line.title === title)?.units ?? Number.NaN);
  const [reads, pages, patches, creates] = [LOAD.reads, LOAD.lists, LOAD.patches, LOAD.creates].map(
    (n) => n * users,
  ) as [number, number, number, number];
  const readUnits = reads * most('a user by id') + (pages / LISTS.length) * lists.reduce((sum, units) => sum + units);
  const writeUnits =
    patches * (most('patch of the age, at once') + most('patch of the age, later by the fold, alone')) +
    creates * (most('create, at once') + most('create, later by the fold, alone'));
  const requests = reads + pages + patches + creates;
  const bytes = Object.values(storage.bytes).reduce((sum, each) => sum + each) / storage.users;
  const gigabytes = (users * bytes) / 1e9;
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

/** The table of README.md. */
export function dollarsTable(measurements: readonly Measurement[], storage: Storage): string {
  const shown = measurements.filter(({ users }) => users >= 10_000);
  const columns = shown.map((measurement) => dollarsOf(measurement, storage));
  const rows = (columns[0] ?? []).map(([name], row) => [
    name,
    ...columns.map((column) => dollars(column[row]?.[1] ?? 0)),
  ]);
  const totals = columns.map((column) => dollars(column.reduce((sum, [, value]) => sum + value, 0)));
  return table(
    ['Dollars a month', ...shown.map(({ users }) => `${number(users)} users`)],
    [...rows, ['**All**', ...totals.map((total) => `**${total}**`)]],
  );
}

export const readStorage = (): Storage => JSON.parse(readFileSync(STORAGE, 'utf8'));

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { measure: { type: 'boolean' } } });
  if (values.measure) writeFileSync(STORAGE, `${JSON.stringify(await measureStorage(100_000), null, 2)}\n`);
  const measurements: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  replaceSection('README.md', 'dollars', dollarsTable(measurements, readStorage()));
}

if (import.meta.main) await run();
