/**
 * Creates at a constant rate while the fold runs. Handlers run in this process. The fold has its own thread as in the local service,
 * and rests for a second between its runs.
 */
import { startFolding } from '../../lib/tooling/local/foldTimer.ts';
import type { Database } from '../../lib/users/database.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { context, event } from '../../tests/support/events.ts';
import { arrive } from '../arrivals.ts';
import type { Store } from '../data.ts';
import { type Cost, type Figure, summarize } from '../figures.ts';
import { connectHandlers } from '../handlers.ts';
import type { Title } from '../lines.ts';
import { startBar } from '../print.ts';
import { emptyJournal, journalSize, untilShort } from './journal.ts';

const CREATES_A_SECOND = 100;
/** About one. If it divided the creates evenly, each page would begin together with one of them. */
const PAGES_A_SECOND = 0.997;
const LAST_MS = 60_000;
/** Calls of each kind at rest, after calls that warm up. */
const AT_REST = 100;
const WARM_UP = 50;
/** How long to wait for the fold. If it is slower than the writes, it leaves too much to wait for. */
const LONGEST_MS = 15 * 60_000;
const PROGRESS_MS = 1_000;

/** The requests of the load. A failed one throws. */
interface Requests {
  create(): Promise<void>;
  /** The first page by name. @returns its read units */
  page(): Promise<number>;
}

/** The read units in a Server-Timing header. @throws {Error} when it has none */
export function readUnitsIn(serverTiming: string): number {
  const [, units] = /dynamodb;desc="([\d.]+) RRU/.exec(serverTiming) ?? [];
  if (units === undefined) throw new Error(`No read units in "${serverTiming}"`);
  return Number(units);
}

async function loadRequests(store: Store, draw: () => UserFields): Promise<Requests> {
  connectHandlers(store);
  const { handler: create } = await import('../../functions/createUser.ts');
  const { handler: list } = await import('../../functions/listUsers.ts');
  const headers = { 'Content-Type': 'application/json' };
  const expect = (wanted: number, { statusCode, body }: { statusCode: number; body: string }) => {
    if (statusCode !== wanted) throw new Error(`Answered ${statusCode}: ${body}`);
  };
  return {
    async create() {
      expect(201, await create(event('', { httpMethod: 'POST', headers, body: JSON.stringify(draw()) }), context));
    },
    async page() {
      const response = await list(event('sort=name'), context);
      expect(200, response);
      return readUnitsIn(String(response.headers?.['server-timing']));
    },
  };
}

/** The milliseconds of each call, one call after another. */
async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const spent: number[] = [];
  for (let i = -WARM_UP; i < AT_REST; i++) {
    const started = performance.now();
    await call();
    if (i >= 0) spent.push(performance.now() - started);
  }
  return spent;
}

const medianOf = (values: readonly number[]): number => summarize(values.map((units) => ({ units }))).units.median;

/** The milliseconds of requests. They count from the moment when a request was due, so a late beginning counts, too. */
interface Load {
  createMs: number[];
  pageMs: number[];
  pages: (Cost & { at: number })[];
  taken: number;
  failed: number;
}

async function load({ runtime }: Database, requests: Requests, seconds: number): Promise<Load> {
  const [createMs, pageMs, pages]: [number[], number[], Load['pages']] = [[], [], []];
  const started = runtime.monotonic();
  const creates = arrive(runtime, CREATES_A_SECOND, async (due) => {
    await requests.create();
    createMs.push(runtime.monotonic() - due);
  });
  const asked = arrive(runtime, PAGES_A_SECOND, async (due) => {
    const units = await requests.page();
    pageMs.push(runtime.monotonic() - due);
    pages.push({ units, at: due - started });
  });
  const bar = startBar(seconds, `seconds of ${CREATES_A_SECOND} creates`);
  for (let passed = 0; passed < seconds * 1_000; passed = runtime.monotonic() - started) {
    bar.update(Math.round(passed / 1_000));
    await runtime.sleep(PROGRESS_MS);
  }
  const [, taken] = await Promise.all([asked.stop(), creates.stop()]);
  bar.stop();
  for (const { failed, failure } of [creates, asked])
    if (failed() > 0) process.stderr.write(`  ${failed()} requests failed, the first with: ${failure()}\n`);
  return { createMs, pageMs, pages, taken, failed: creates.failed() + asked.failed() };
}

export interface BesideOptions {
  draw: () => UserFields;
  /** For how long there are creates. */
  seconds: number;
}

export async function measureBeside(store: Store, { draw, seconds }: BesideOptions): Promise<[Title, Figure][]> {
  const { database } = store;
  await emptyJournal(database);
  const requests = await loadRequests(store, draw);
  const pageAtRest = medianOf(await timesOf(requests.page));
  const createAtRest = medianOf(await timesOf(requests.create));
  await emptyJournal(database);

  const fold = startFolding(new URL('./foldWorker.ts', import.meta.url), undefined);
  process.stderr.write(`  At rest: POST ${createAtRest.toFixed(1)} ms, first page ${pageAtRest.toFixed(1)} ms\n`);
  const { createMs, pageMs, pages, taken, failed } = await load(database, requests, seconds);
  const left = await journalSize(database);
  const emptyAfterMs = await untilShort(database, LONGEST_MS);
  await fold.terminate();

  const last = pages.filter(({ at }) => at >= seconds * 1_000 - LAST_MS);
  const one = (units: number) => summarize([{ units }]);
  const multiples = (times: readonly number[], atRest: number): Cost[] => times.map((ms) => ({ units: ms / atRest }));
  /** No figure if all requests have failed. */
  const ofAny = (title: Title, costs: readonly Cost[]): [Title, Figure][] =>
    costs.length === 0 ? [] : [[title, summarize(costs)]];
  return [
    ['creates taken, a second', one(taken)],
    ['requests that failed', one(failed)],
    ...ofAny(
      'first page by name in the last minute, read units',
      last.map(({ units }) => ({ units })),
    ),
    ...ofAny('POST, as a multiple of its median time at rest', multiples(createMs, createAtRest)),
    ...ofAny('first page by name, as a multiple of its median time at rest', multiples(pageMs, pageAtRest)),
    ['entries in the journal after the last create', one(left.entries)],
    ['seconds after it until the journal costs one read unit', one(emptyAfterMs / 1_000)],
  ];
}
