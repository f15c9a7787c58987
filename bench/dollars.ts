/** `npm run bench:dollars`: what a stage costs a month, from the recorded units and a table of prices. See bench/README.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Metric } from '../lib/http/scheduled.ts';
import { ofType, type Resource, type Resources } from '../tools/deploy/resource.ts';
import { readOptions } from '../tools/program/options.ts';
import { orEnd } from '../tools/program/stop.ts';
import { newContainers } from './arrivals.ts';
import { deskTable, requestsOf, unitsOf } from './desk.ts';
import type { Measurement } from './figures.ts';
import { number, replaceSection, table } from './markdown.ts';
import { PRICES } from './prices.ts';
import { ofStores } from './results.ts';
import type { Title } from './tables.ts';

/** Programs read each user once a day. All else a desk does. */
const READS = 30;

/**
 * Assumed: nothing was measured on AWS. The start of a new container is billed (INIT, since August 2025:
 * https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/). One request of twenty has a token that API Gateway does
 * not remember. Requests come at any time alike. A fold with a batch waits for three seconds; at most one a minute has one. A kept change
 * has `bytesOfChange` bytes, with its share of the feed. AWS compresses logs to a part, and keeps them for a year.
 */
export const ASSUMED = {
  secondsOfOne: 0.02,
  secondsAroundList: 0.02,
  secondsOfStart: 0.6,
  newTokens: 0.05,
  secondsOfFold: 0.05,
  secondsOfBatch: 3.5,
  bytesOfChange: 700,
  loggedBytes: 1_200,
  compressedLogs: 0.15,
  monthsOfLogs: 12,
};

const WRITES: Title = 'Writes, in their requests';
const NEW: Title = 'A new container, with 5 % changed';
const WHOLE: Title = 'The price of a create, whole';

export const GB = { one: 512 / 1_024, list: 1_769 / 1_024 };
export const MINUTES = 30 * 24 * 60;
const SECONDS = 60 * MINUTES;

/** Each has containers of its own, and gets a share of the lists. */
const LISTING_FUNCTIONS = 6;

/** X-Ray keeps the first call of each second and one of twenty others: https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html */
function tracesOf(calls: number): number {
  const first = SECONDS * (1 - Math.exp(-calls / SECONDS));
  return first + (calls - first) / 20;
}

/** Whether a stage of prod is traced. */
const isTraced = (): boolean =>
  parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }).params.prod.tracing;

/** Bytes of a user in the table and three indexes, with 100 bytes of DynamoDB's for each of the four: of 1,000 users in November 2026. */
const BYTES_OF_USER = 943;

/** The metrics that the fold tells each minute; that only requests have; and that only faults have, of which there are none here. */
const OF_FOLD: readonly Metric[] = ['journalEntries', 'oldestEntrySeconds', 'sizePercent', 'brokenItems'];
const OF_REQUESTS: readonly Metric[] = ['milliseconds', 'readUnits', 'writeUnits'];

/** Dollars a month for the monitoring in a template, logs left out. API Gateway's metrics of a stage are free. */
export function monitoringOf(resources: object, isIdle: boolean): number {
  const all = Object.values(resources) as Resource[];
  const alarms = JSON.stringify(all.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm'));
  const dashboards = all.filter(({ Type }) => Type === 'AWS::CloudWatch::Dashboard').length;
  const alarmed = alarms.match(/"MetricStat"/g)?.length ?? 0;
  const own = OF_FOLD.length + (isIdle ? 0 : OF_REQUESTS.length);
  return alarmed * PRICES.alarmedMetric + own * PRICES.metric + dashboards * PRICES.dashboard;
}

/** The same, of a stage of prod without events, whose lists come from the replica. */
function monitoring(isIdle: boolean): number {
  const yaml = readFileSync('tools/deploy/monitoring.yml', 'utf8');
  const { EventsAlarm, IndexAlarm, Dashboard, ...resources } = parse(yaml, {
    logLevel: 'silent',
    merge: true,
  }).Resources;
  return monitoringOf(resources, isIdle);
}

/** Dollars a month of a stage without requests, by its template: the functions that a schedule calls, and the monitoring. Stored users are not in it. */
export function idleDollars(template: Resources): Record<string, number> {
  const of = (type: string) => ofType(template, type).map(([, { Properties }]) => Properties);
  const scheduled = of('Events::Rule').flatMap(({ ScheduleExpression, Targets }) => {
    if (ScheduleExpression !== 'rate(1 minute)') throw new Error(`There is no price of ${ScheduleExpression}`);
    return (Targets as { Arn: { 'Fn::GetAtt': [string] } }[]).map(
      ({ Arn }) => template[Arn['Fn::GetAtt'][0]]?.Properties,
    );
  });
  const gigabytes = scheduled.reduce((sum, called) => sum + Number(called?.MemorySize) / 1_024, 0);
  const traced = scheduled.filter((called) => Object(called?.TracingConfig).Mode === 'Active').length;
  const calls = MINUTES * scheduled.length;
  return {
    lambda: calls * PRICES.call + MINUTES * gigabytes * ASSUMED.secondsOfFold * PRICES.gbSecond,
    dynamodb: calls * PRICES.readUnit,
    traces: MINUTES * traced * PRICES.trace,
    logs: ((calls * ASSUMED.loggedBytes) / 1e9) * PRICES.loggedGb,
    monitoring: monitoringOf(template, true),
  };
}

/** The requests of a month to a stage with `users` users, and the calls of functions that follow from them. */
function loadOf(users: number) {
  const lists = users * requestsOf('list');
  const creates = users * requestsOf('create');
  const reads = users * (READS + requestsOf('read'));
  const writes = users * requestsOf('patch') + creates;
  const requests = reads + lists + writes;
  const [tokens, folds] = [requests * ASSUMED.newTokens, MINUTES + writes];
  const newOnes = newContainers(lists / LISTING_FUNCTIONS);
  return { lists, newOnes, reads, creates, writes, requests, tokens, folds };
}

type Load = ReturnType<typeof loadOf>;
type Read = (title: Title, line: string) => number;

/** Gigabyte-seconds, by which Lambda charges: of functions that list, with the fold, and of others. */
function gbSecondsOf(
  { lists, newOnes, writes, requests, tokens, folds }: Load,
  milliseconds: number,
  read: Read,
): number {
  const others = requests - lists + tokens;
  const start = newOnes * ASSUMED.secondsOfStart;
  const firstList = (newOnes * read(NEW, 'first page by name, milliseconds')) / 1_000;
  const ofLists = lists * (ASSUMED.secondsAroundList + start + firstList) + milliseconds / 1_000;
  const ofFolds = folds * ASSUMED.secondsOfFold + Math.min(writes, MINUTES) * ASSUMED.secondsOfBatch;
  return others * (ASSUMED.secondsOfOne + start) * GB.one + (ofLists + ofFolds) * GB.list;
}

/** Dollars a month, by what they are for. A star marks what rests on more than the load that is assumed. */
export function dollarsOf(measured: Measurement): [name: string, dollars: number][] {
  const { users, tables } = measured;
  const read: Read = (title, line) => tables[title]?.[line]?.one ?? tables[title]?.[line]?.median ?? 0;
  const load = loadOf(users);
  const { lists, newOnes, reads, creates, writes, requests, tokens, folds } = load;

  const create = read(WRITES, 'create');
  const later = Math.max(0, read(WHOLE, 'write units, at 1 a second') - create);
  const writeUnits = users * unitsOf('patch', measured) + creates * create + writes * later;
  // A user and a warm list take one, and a fold reads the journal.
  const once = reads + lists + folds;
  const ofStarts = lists * newOnes * read(NEW, 'read units');
  const readUnits = once + ofStarts + writes * read(WHOLE, 'read units, at 1 a second');
  const bytes =
    users * (BYTES_OF_USER + read('What is stored', 'bytes of a user in the base')) + writes * ASSUMED.bytesOfChange;
  const logged = ((requests + MINUTES) * ASSUMED.loggedBytes) / 1e9;
  const kept = ASSUMED.compressedLogs * ASSUMED.monthsOfLogs * PRICES.keptLogGb;
  const time = gbSecondsOf(load, users * unitsOf('list', measured), read) * PRICES.gbSecond;
  return [
    ['DynamoDB, reads', readUnits * PRICES.readUnit],
    ['DynamoDB, writes, with all that is done later', writeUnits * PRICES.writeUnit],
    ['DynamoDB, storage and point-in-time recovery *', (bytes / 1e9) * (PRICES.storedGb + PRICES.backedUpGb)],
    ['API Gateway', requests * PRICES.apiRequest],
    ['Lambda *', (requests + tokens + folds) * PRICES.call + time],
    ['X-Ray *', isTraced() ? tracesOf(requests) * PRICES.trace : 0],
    ['Logs, metrics and alarms *', logged * (PRICES.loggedGb + kept) + monitoring(users === 0)],
  ];
}

const dollars = (value: number): string => (value < 10 ? value.toFixed(2) : number(Math.round(value)));

/** The sizes that are shown: an idle stage, and the recorded ones from 10,000 users on. */
function shownOf(measurements: readonly Measurement[]): Measurement[] {
  const measured = ofStores(measurements).filter(({ users }) => users >= 10_000);
  return [...measured.slice(0, 1).map((any) => ({ ...any, users: 0 })), ...measured];
}

const totalOf = (measured: Measurement): string =>
  dollars(dollarsOf(measured).reduce((sum, [, value]) => sum + value, 0));

/** The sentence of README.md on costs. */
export function dollarsLine(measurements: readonly Measurement[]): string {
  const totals = shownOf(measurements).map((each) =>
    each.users === 0 ? `${totalOf(each)} idle` : `${totalOf(each)} with ${number(each.users)} users`,
  );
  return `Dollars a month of the stage prod, in eu-central-1, for [this load](docs/choose.md#what-it-costs): ${totals.join(', ')}.`;
}

/** The table of docs/choose.md. */
export function dollarsTable(measurements: readonly Measurement[]): string {
  const shown = shownOf(measurements);
  const columns = shown.map(dollarsOf);
  const rows = (columns[0] ?? []).map(([name], row) => [
    name,
    ...columns.map((column) => dollars(column[row]?.[1] ?? 0)),
  ]);
  const totals = shown.map(totalOf);
  return table(
    ['Dollars a month', ...shown.map(({ users }) => (users === 0 ? 'idle' : `${number(users)} users`))],
    [...rows, ['**All**', ...totals.map((total) => `**${total}**`)]],
  );
}

if (import.meta.main) {
  orEnd(() => readOptions({}, 'Usage: npm run bench:dollars'));
  const recorded: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  replaceSection('docs/choose.md', 'dollars', dollarsTable(recorded));
  replaceSection('README.md', 'cost', dollarsLine(recorded));
  replaceSection('bench/README.md', 'desk', deskTable(recorded));
}
