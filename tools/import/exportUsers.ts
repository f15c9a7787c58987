import type { paths } from '../../.local/openapi.d.ts';
import { escapeBreaks } from '../../lib/ground/index.ts';
import type { FilterName } from '../../lib/users/filters.ts';
import { createdAt } from '../../lib/users/ids.ts';
import { notTheService, type Service } from '../program/client.ts';
import { sendForStream } from '../program/send.ts';
import { counted, quoted, reasonOf, Stop } from '../program/stop.ts';
import { splitLines } from './lines.ts';
import { cellsOf } from './records.ts';

/** JSON has a user a line, too, so that a part of it can be read. */
export const OUTPUT_FORMATS = ['csv', 'ndjson', 'json'] as const;

type Query = NonNullable<paths['/api/users/all']['get']['parameters']['query']>;

export interface ExportOptions {
  service: Service;
  format: (typeof OUTPUT_FORMATS)[number];
  /** Whether CSV begins with a byte order mark, for Excel. */
  hasMark?: boolean;
  /** The values of the parameter `sort`. Empty for the order of ids. */
  sort: readonly string[];
  /** The values of the parameter `fields`. Empty for all. */
  fields: NonNullable<Query['fields']>;
  /** By the names of their parameters. */
  filters: Partial<Pick<Query, FilterName>>;
  onProgress: (users: number, total: number) => void;
  say: (sentence: string) => void;
  /** How long to wait for the next user, in milliseconds. */
  patienceMs?: number;
}

/** The state of an export, perhaps of an earlier run. */
export interface Export {
  /** Of the users who have come: none comes twice, whatever is written while an export goes on after a break. */
  ids: Set<number>;
  /** The line that names the columns of CSV. */
  columns?: string;
  /** How many there are. Undefined before the service has responded. */
  total?: number;
  /** Why not all users came. */
  failure?: Stop;
}

const PATIENCE_MS = 120_000;

/** How often an export goes on without a user in between. */
const MAX_VAIN = 2;

/** Why a response ends early. The rest can be asked for. */
class Broken extends Stop {}

export const BYTE_ORDER_MARK = '\uFEFF';

const totalIn = (headers: Headers): number =>
  Number(/^\d{1,15}$/.exec(headers.get('x-total-count') ?? '') ?? Number.NaN);

/** Ends a request while it is waited for. A response that comes byte by byte would never end. */
function startWatchdog(milliseconds: number) {
  const controller = new AbortController();
  const bark = () => controller.abort(new Broken(`No user has come for ${milliseconds / 1_000} seconds`));
  let timer = setTimeout(bark, milliseconds).unref();
  return {
    signal: controller.signal,
    rest: () => clearTimeout(timer),
    watch: () => (timer = setTimeout(bark, milliseconds).unref()),
  };
}

interface Row {
  text: string;
  end: string;
}

/** A line of the response is a user, because no text of a user has a line break. The first one of CSV has the names of the columns. */
async function* rowsOf(
  body: ReadableStream<Uint8Array>,
  watchdog: ReturnType<typeof startWatchdog>,
): AsyncGenerator<Row> {
  for await (const { text, end } of splitLines(body.pipeThrough(new TextDecoderStream()))) {
    // The reader of the rows may take any time.
    watchdog.rest();
    if (end === '') throw new Broken('The response ends in the middle of a user');
    yield { text, end };
    watchdog.watch();
  }
}

/** The id of a user on a line, with the columns of CSV; in JSON it comes first. NaN if there is none. */
export function idIn(line: string, columns: string | undefined): number {
  if (columns === undefined) return Number(/^[[,]?\{"id":(\d+)/.exec(line)?.[1]);
  if (columns.startsWith('id,')) return Number.parseInt(line, 10);
  return Number(cellsOf(line, { delimiter: ',' })?.[columns.split(',').indexOf('id')] ?? Number.NaN);
}

/**
 * In the order of ids, an export goes on at the moment of the last user, which the id has. In another order all users come again, because
 * one who has changed may stand anywhere.
 */
function placeAfter({ ids }: Export, { sort }: ExportOptions): Partial<Pick<Query, 'createdAt.gte'>> {
  const last = sort.length > 0 ? undefined : [...ids].at(-1);
  return last === undefined ? {} : { 'createdAt.gte': createdAt(last) };
}

async function respond(options: ExportOptions, done: Export) {
  const { service, format, sort, fields, filters, patienceMs = PATIENCE_MS } = options;
  const place = placeAfter(done, options);
  const params = { query: { ...filters, sort: [...sort], fields, ...place } };
  // A service before 2.3 ignores a filter that it does not have, and all users would come.
  const headers = { accept: format === 'csv' ? 'text/csv' : 'application/x-ndjson', prefer: 'handling=strict' };
  const watchdog = startWatchdog(patienceMs);
  const stream = { params, headers, parseAs: 'stream', fetch: sendForStream, signal: watchdog.signal } as const;
  const answer = await service.ask(() => service.client.GET('/api/users/all', stream));
  // The client makes nothing of an empty body: NDJSON of nobody.
  if (answer.status !== 200) throw new Stop(answer.reason);
  const announced = totalIn(answer.headers);
  if (Number.isNaN(announced)) throw notTheService('its response has no X-Total-Count');
  // The last user comes again.
  done.total = announced + (place['createdAt.gte'] === undefined ? 0 : done.ids.size - 1);
  return { announced, rows: rowsOf(answer.data ?? new Blob([]).stream(), watchdog) };
}

/** The names of the columns, if they have not come before. @throws {Stop} if others came before */
function* headOf({ text, end }: Row, { hasMark }: ExportOptions, done: Export): Generator<string> {
  if (done.columns === undefined) yield `${hasMark ? BYTE_ORDER_MARK : ''}${text}${end}`;
  done.columns ??= text;
  if (done.columns !== text) throw new Stop('The columns of the service have changed: begin a new export');
}

/** The line of a user who has not come before. @throws {Stop} if it is of no user */
function* lineOf({ text, end }: Row, { format, onProgress }: ExportOptions, done: Export): Generator<string> {
  const id = idIn(text, done.columns);
  if (Number.isNaN(id)) throw new Stop(`This is no user: ${quoted(text)}`);
  if (done.ids.has(id)) return;
  const before = done.ids.size === 0 ? '[' : ',';
  // A service of 2.6 and before escapes none.
  yield (format === 'json' ? before : '') + (format === 'csv' ? text : escapeBreaks(text)) + end;
  onProgress(done.ids.add(id).size, done.total ?? 0);
}

/** The users of a response who have not come before. It has all users, and their number, of one state. @throws {Broken} if it lacks any */
async function* newLines(options: ExportOptions, done: Export): AsyncGenerator<string> {
  const { announced, rows } = await respond(options, done);
  let came = options.format === 'csv' ? -1 : 0;
  for await (const row of rows) {
    if (++came > announced) throw new Stop(`The service counted ${announced} users, and more come`);
    yield* came === 0 ? headOf(row, options, done) : lineOf(row, options, done);
  }
  if (came < announced) throw new Broken(`${came} of ${announced} users came`);
}

/** New lines, and the end of the file behind them. */
async function* linesToEnd(options: ExportOptions, done: Export): AsyncGenerator<string> {
  yield* newLines(options, done);
  if (options.format === 'json') yield done.ids.size === 0 ? '[]\n' : ']\n';
}

const isFinal = (error: unknown): boolean => error instanceof Stop && !(error instanceof Broken);

/** Goes on after a break, unless nothing comes of it. */
async function* linesFor(options: ExportOptions, done: Export): AsyncGenerator<string> {
  for (let vain = 0; ; vain++) {
    const before = done.ids.size;
    try {
      return yield* linesToEnd(options, done);
    } catch (error) {
      if (done.ids.size > before) vain = -1;
      if (isFinal(error) || vain === MAX_VAIN) throw error;
      options.say(`${reasonOf(error)}. Going on after ${done.ids.size} users`);
    }
  }
}

/** Users may be written while an export goes on: it has who was there when it passed. */
async function compareCount({ service, filters, say }: ExportOptions, { ids, total }: Export): Promise<void> {
  if (ids.size === total) return;
  const query = { ...filters, size: 1 };
  const { headers } = await service.ask((signal) => service.client.GET('/api/users', { params: { query }, signal }));
  const now = totalIn(headers);
  if (now !== ids.size)
    say(
      `${counted(ids.size, 'user')} came, and the service counts ${now} now: some were written since the export began`,
    );
}

/** Every user of a service as lines: those who have not come yet. `done` has those who have come, and a failure. */
export async function* exportUsers(options: ExportOptions, done: Export): AsyncGenerator<string> {
  try {
    yield* linesFor(options, done);
    await compareCount(options, done);
  } catch (error) {
    done.failure = new Stop(reasonOf(error), { cause: error });
  }
}
