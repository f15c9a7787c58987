/**
 * `tsx bench/measure.ts 10000`: measures one size and prints JSON. It is a process of its own for each size, because the
 * handlers are wired when they are loaded.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { createDynamo } from '../lib/dynamodb/client.ts';
import type { Handler } from '../lib/http/endpoint.ts';
import { useLocalCredentials } from '../lib/local/environment.ts';
import { metered } from '../lib/metering.ts';
import { context, event } from '../tests/support/events.ts';
import { scanAndSort, skipAndCount } from './baselines.ts';
import { ALL_SORTS, type BaselineQuery, CATALOGUE, type CatalogueEntry } from './catalogue.ts';
import { openData, TABLES } from './data.ts';
import { muteLog } from './mute.ts';

const SIZE = 20;
const WARM_UP_RUNS = 10;
const TIMED_RUNS = 60;
const QUICK_TIMED_RUNS = 5;
/** A quick run asks one in so many of all filters and sorts. */
const QUICK_STEP = 16;

const isQuick = process.argv.includes('--quick');
const TIME_LIMIT_MS = 4_000;

export interface Cost {
  units: number;
  plan: string;
}

export interface Measured extends Cost {
  title: string;
  scan?: number;
  skip?: number;
  /** Median and 95th percentile of the warm handler, as multiples of a bare GetItem in the same run. */
  p50: number;
  p95: number;
}

export interface Measurement {
  users: number;
  reads: Measured[];
  writes: { title: string; units: number }[];
  /** First pages under one or two filters: how many there are of all filters and sorts, what they cost, and the dearest. */
  filtered: { queries: number; median: number; p99: number; worst: Cost & { query: string } };
}

type Operation = CatalogueEntry['operation'] | 'createUser' | 'replaceUser' | 'patchUser' | 'deleteUser';

const loadHandler = async (operation: Operation): Promise<Handler> =>
  (await import(`../functions/${operation}.ts`)).handler;

async function invoke(operation: Operation, request: APIGatewayProxyEvent) {
  const handler = await loadHandler(operation);
  const { statusCode, headers, body } = await handler(request, context);
  if (statusCode >= 400) throw new Error(`${operation} answered ${statusCode}: ${body}`);
  const timing = String(headers?.['server-timing']);
  return {
    body: body === '' ? undefined : JSON.parse(body),
    units: Number(/desc="([\d.]+) RRU/.exec(timing)?.[1]),
    writeUnits: Number(/, ([\d.]+) WRU/.exec(timing)?.[1] ?? 0),
    plan: /plan;desc="([^"]*)"/.exec(timing)?.[1] ?? '',
  };
}

const percentile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;

/** Both in turn, so that a change in the machine's speed meets both alike. */
async function timeAgainst(reference: () => Promise<unknown>, measured: () => Promise<unknown>) {
  const times: [number[], number[]] = [[], []];
  const end = performance.now() + TIME_LIMIT_MS;
  const runs = isQuick ? QUICK_TIMED_RUNS : TIMED_RUNS;
  for (let run = isQuick ? -1 : -WARM_UP_RUNS; run < runs; run++) {
    if (performance.now() > end && run > 0) break;
    for (const [i, call] of [reference, measured].entries()) {
      const start = performance.now();
      await call();
      if (run >= 0) times[i]?.push(performance.now() - start);
    }
  }
  const [base, own] = times.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
  const median = percentile(base, 0.5);
  return { p50: percentile(own, 0.5) / median, p95: percentile(own, 0.95) / median };
}

async function measureReads(users: number, endpoint: string, middleId: number): Promise<Measured[]> {
  const dynamo = createDynamo({ endpoint });
  const bareGet = () => dynamo.send(new GetCommand({ TableName: TABLES.users, Key: { id: middleId } }));
  const lastPage = Math.ceil(users / SIZE) - 1;
  const baseline = (run: typeof scanAndSort, query: BaselineQuery) =>
    metered(async (meter) => {
      await run(dynamo, TABLES, query);
      return meter.readUnits;
    });
  const measured: Measured[] = [];
  for (const entry of CATALOGUE) {
    const query = entry.query
      .replace('{half}', String(Math.floor(lastPage / 2)))
      .replace('{last}', String(lastPage))
      .replace('{id}', String(middleId));
    const call = () => invoke(entry.operation, event(query, { pathParameters: { id: String(middleId) } }));
    const { units, plan } = await call();
    measured.push({
      title: entry.title,
      units,
      plan,
      ...(entry.baseline && {
        scan: await baseline(scanAndSort, entry.baseline),
        skip: await baseline(skipAndCount, entry.baseline),
      }),
      ...(await timeAgainst(bareGet, call)),
    });
  }
  return measured;
}

async function measureFiltered(
  statuses: readonly string[],
  countries: readonly string[],
): Promise<Measurement['filtered']> {
  const costs: (Cost & { query: string })[] = [];
  let asked = 0;
  for (const status of ['', ...statuses]) {
    for (const country of ['', ...countries]) {
      if (status === '' && country === '') continue;
      for (const sort of ALL_SORTS) {
        if (isQuick && asked++ % QUICK_STEP !== 0) continue;
        const query = new URLSearchParams({ status, country, sort }).toString();
        const { units, plan } = await invoke('listUsers', event(query));
        costs.push({ query: decodeURIComponent(query), units, plan });
      }
    }
  }
  const sorted = costs.toSorted((a, b) => a.units - b.units);
  const at = (fraction: number) => sorted[Math.floor((sorted.length - 1) * fraction)] as (typeof sorted)[number];
  return { queries: costs.length, median: at(0.5).units, p99: at(0.99).units, worst: at(1) };
}

async function measureWrites(): Promise<Measurement['writes']> {
  const write = (operation: Operation, id: number, body?: object) =>
    invoke(
      operation,
      event('', {
        pathParameters: { id: String(id) },
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      }),
    );
  const user = {
    name: 'Ann Andrews',
    email: 'ann.andrews@example.com',
    age: 30,
    firstName: 'Ann',
    lastName: 'Andrews',
    status: 'active',
    country: 'US',
  };
  const created = await write('createUser', 0, user);
  const { id } = created.body;
  const steps: [title: string, operation: Operation, body?: object][] = [
    ['patch of age', 'patchUser', { age: 31 }],
    ['patch of status', 'patchUser', { status: 'inactive' }],
    [
      'replace, all but the last name',
      'replaceUser',
      { ...user, name: 'Bea Andrews', email: 'bea@example.com', firstName: 'Bea', age: 40, status: 'inactive' },
    ],
    ['patch of the last name', 'patchUser', { lastName: 'Roberts' }],
    ['delete', 'deleteUser'],
  ];
  const writes = [{ title: 'create (last name of seven letters)', units: created.writeUnits }];
  for (const [title, operation, body] of steps)
    writes.push({ title, units: (await write(operation, id, body)).writeUnits });
  return writes;
}

async function measure(users: number): Promise<Measurement> {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const { endpoint, stop } = await openData(users);
  Object.assign(process.env, {
    USERS_TABLE: TABLES.users,
    DIRECTORY_TABLE: TABLES.directory,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  });
  try {
    const half = await invoke('listUsers', event(`page=${Math.floor(users / SIZE / 2)}`));
    const { readCounts } = await import('../lib/users/statistics/counts.ts');
    const { unmark } = await import('../lib/users/keys.ts');
    const cells = await readCounts(createDynamo({ endpoint }), TABLES);
    const values = (property: 'status' | 'country') =>
      [...new Set(cells.map((cell) => unmark(cell[property]) ?? ''))].filter(Boolean);
    return {
      users,
      reads: await measureReads(users, endpoint, half.body.content[0].id),
      filtered: await measureFiltered(values('status'), values('country')),
      writes: await measureWrites(),
    };
  } finally {
    await stop();
  }
}

muteLog();
process.stdout.write(JSON.stringify(await measure(Number(process.argv[2]))));
