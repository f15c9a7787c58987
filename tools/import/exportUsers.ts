import type { paths } from '../../docs/openapi.d.ts';
import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import { KINDS } from '../../lib/users/fields.ts';
import type { FilterName } from '../../lib/users/filters.ts';
import { FIELD_NAMES } from '../../lib/users/user.ts';
import type { Service } from './client.ts';
import { splitLines } from './lines.ts';
import { type Cell, cellsOf } from './records.ts';
import { sendForStream } from './send.ts';
import { reasonOf, Stop } from './stop.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;

export interface ExportOptions {
  service: Service;
  format: (typeof OUTPUT_FORMATS)[number];
  /** The values of the parameter `sort`. Empty for the order of ids. */
  sort: readonly string[];
  /** By the names of their parameters. */
  filters: Pick<NonNullable<paths['/api/users/all']['get']['parameters']['query']>, FilterName>;
  onProgress: (users: number, total: number) => void;
  say: (sentence: string) => void;
  /** How long to wait for the next user, in milliseconds. */
  patienceMs?: number;
}

const PATIENCE_MS = 120_000;

/** So many users may come for each that was announced, and besides: some may be written during the export. */
const [MAX_RATIO, MAX_MORE] = [2, 1_000];

const NUMBERS = ['id', ...FIELD_NAMES.filter((field) => KINDS[field] === 'number')];

const readCell = (column: string, cell: Cell | undefined): unknown => {
  if (cell === null || cell === undefined) return undefined;
  return NUMBERS.includes(column) ? Number(cell) : unescapeFormula(cell);
};

/** JSON leaves out fields without a value. */
function toJson(columns: string, row: string): string {
  const cells = cellsOf(row, { delimiter: ',' }) ?? [];
  const members = columns.split(',').map((name, index) => [name, readCell(name, cells[index])]);
  return JSON.stringify(Object.fromEntries(members));
}

const totalIn = (headers: Headers): number =>
  Number(/^\d{1,15}$/.exec(headers.get('x-total-count') ?? '') ?? Number.NaN);

/** Users may be written during an export. Then as many came as there were before it or after it, or a number in between. */
async function checkCount({ service, filters, say }: ExportOptions, users: number, before: number): Promise<void> {
  if (users === before) return;
  const query = { ...filters, size: 1 };
  const { headers } = await service.ask((signal) => service.client.GET('/api/users', { params: { query }, signal }));
  const after = totalIn(headers);
  const counted = `${users} users came, and the service counted ${before} before and ${after} after the export`;
  if (!(users >= Math.min(before, after) && users <= Math.max(before, after)))
    throw new Stop(`${counted}: some ${users > before ? 'came twice' : 'are missing'}`);
  say(`${counted}: some were written during the export`);
}

/** What has come of an export. */
export interface Export {
  users: number;
  /** Undefined before the service has responded. */
  total?: number;
  /** Why not all users came. */
  failure?: Stop;
}

/** Ends a request while it is waited for. What comes byte by byte would never end. */
function startWatchdog(milliseconds: number) {
  const controller = new AbortController();
  const bark = () => controller.abort(new Stop(`No user has come for ${milliseconds / 1_000} seconds`));
  let timer = setTimeout(bark, milliseconds).unref();
  return {
    signal: controller.signal,
    rest: () => clearTimeout(timer),
    watch: () => (timer = setTimeout(bark, milliseconds).unref()),
  };
}

/** A line of the response is a user, because no text of a user has a line break. The first one has the names of the columns. */
async function* rowsOf(body: ReadableStream<Uint8Array>, watchdog: ReturnType<typeof startWatchdog>) {
  for await (const { text, end } of splitLines(body.pipeThrough(new TextDecoderStream()))) {
    // Whoever takes the rows may take their time.
    watchdog.rest();
    if (end === '') throw new Stop('The response ends in the middle of a user');
    yield { text, end };
    watchdog.watch();
  }
}

async function* linesFor(options: ExportOptions, done: Export): AsyncGenerator<string> {
  const { service, format, sort, filters, onProgress, patienceMs = PATIENCE_MS } = options;
  const params = { query: { ...filters, sort: [...sort] } };
  // A filter that the service does not have would be all users.
  const headers = { accept: 'text/csv', prefer: 'handling=strict' };
  const watchdog = startWatchdog(patienceMs);
  const stream = { params, headers, parseAs: 'stream', fetch: sendForStream, signal: watchdog.signal } as const;
  const answer = await service.ask(() => service.client.GET('/api/users/all', stream));
  if (!answer.data) throw new Stop(answer.reason);
  const total = totalIn(answer.headers);
  if (Number.isNaN(total)) throw new Stop('The response has no X-Total-Count: is --url the URL of the service?');
  done.total = total;
  let columns: string | undefined;
  for await (const { text, end } of rowsOf(answer.data, watchdog)) {
    if (done.users > total * MAX_RATIO + MAX_MORE) throw new Stop(`The service counted ${total} users, and more come`);
    if (format === 'csv') yield text + end;
    else if (columns !== undefined) yield `${toJson(columns, text)}\n`;
    if (columns !== undefined) onProgress(++done.users, total);
    columns ??= text;
  }
  await checkCount(options, done.users, total);
}

/**
 * Every user of a service as lines. An export that is cut off ends with a line that says so: it is neither JSON nor CSV with these
 * columns, so no program takes it for a user.
 */
export async function* exportUsers(options: ExportOptions, done: Export): AsyncGenerator<string> {
  try {
    yield* linesFor(options, done);
  } catch (error) {
    done.failure = new Stop(reasonOf(error), { cause: error });
    if (done.total !== undefined) yield `The export was cut off after ${done.users} of ${done.total} users\r\n`;
  }
}
