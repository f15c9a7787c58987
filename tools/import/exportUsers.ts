import type { paths } from '../../docs/openapi.d.ts';
import type { FilterParameter } from '../../lib/http/listingRules.ts';
import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import type { Answer, Service } from './client.ts';
import { type Cell, type CsvRecord, recordsOf } from './records.ts';
import { reasonOf, Stop } from './stop.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The size of a write, in UTF-16 units. */
const CHUNK = 65_536;

/** The filters of a stream, by the names of their parameters. */
export type Filters = Pick<NonNullable<paths['/api/users/all']['get']['parameters']['query']>, FilterParameter>;

export interface ExportOptions {
  service: Service;
  format: OutputFormat;
  /** The values of the parameter `sort`. Empty for the order of ids. */
  sort: readonly string[];
  filters: Filters;
  onProgress: (users: number, total: number) => void;
  say: (sentence: string) => void;
  signal: AbortSignal;
}

const NUMBERS = ['id', 'age'];

const toValue = (column: string, cell: Cell): unknown =>
  cell === null ? undefined : NUMBERS.includes(column) ? Number(cell) : unescapeFormula(cell);

/** JSON leaves out fields without a value. */
const toJson = (columns: readonly string[], { cells = [] }: CsvRecord): string =>
  JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, toValue(column, cells[index] ?? null)])));

function dataOf<Data>({ data, reason }: Answer<Data>): NonNullable<Data> {
  if (data === undefined || data === null) throw new Stop(reason);
  return data;
}

async function* buffers(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield Buffer.from(chunk);
}

/** The id of the newest user; 0 if there is none. It tells whether a stream has reached the end. */
async function newestId({ service: { client, ask }, filters }: ExportOptions): Promise<number> {
  const query = { ...filters, size: 1, sort: ['id,desc'] };
  const page = dataOf(await ask((signal) => client.GET('/api/users', { params: { query }, signal })));
  return (typeof page === 'object' && 'content' in page && page.content[0]?.id) || 0;
}

interface Count {
  users: number;
  total: number;
  /** The id of the last one. */
  last: number;
}

/** A stream in the order of ids is complete if it has every user that existed at its start. */
async function checkCount(options: ExportOptions, { users, total, last }: Count, newest: number): Promise<void> {
  if (users === total) return;
  const { client, ask } = options.service;
  const found = `${users} users came, and the service counted ${total} at the start`;
  if (options.sort.length > 0) throw new Stop(`${found}: users were written during the export, or some are missing`);
  const query = { ...options.filters, cursor: last };
  const later = dataOf(await ask((signal) => client.GET('/api/users/cursor', { params: { query }, signal })));
  if (!Array.isArray(later) || !later.every(({ id }) => id > newest)) throw new Stop(`${found}: some are missing`);
  options.say(`${found}: some were written during the export`);
}

async function* users(options: ExportOptions, count: Count): AsyncGenerator<string> {
  const { service, format, sort, filters, onProgress, signal } = options;
  const newest = sort.length > 0 ? 0 : await newestId(options);
  const params = { query: { ...filters, sort: [...sort] } };
  const headers = { accept: 'text/csv' };
  const answer = await service.ask(() =>
    service.client.GET('/api/users/all', { params, headers, parseAs: 'stream', signal }),
  );
  const body = dataOf(answer);
  count.total = Number(answer.headers.get('x-total-count') ?? Number.NaN);
  if (Number.isNaN(count.total)) throw new Stop('The response has no X-Total-Count: is --url the URL of the service?');
  let columns: readonly string[] | undefined;
  for await (const record of recordsOf(buffers(body), { delimiter: ',' })) {
    const { cells, text, end } = record;
    if (!cells || end === '' || cells.length !== (columns ?? cells).length)
      throw new Stop('The response ends in the middle of a user');
    if (format === 'csv') yield text + end;
    else if (columns) yield `${toJson(columns, record)}\n`;
    if (columns) {
      count.users++;
      count.last = Number(cells[columns.indexOf('id')]);
      onProgress(count.users, count.total);
    }
    columns ??= cells.map(String);
  }
  if (!columns) throw new Stop('The response ends in the middle of a user');
  await checkCount(options, count, newest);
}

/** The last line of an incomplete file. It is neither JSON nor CSV with these columns, so no program takes it for a user. */
const cutMark = ({ users, total }: Count): string => `The export was cut off after ${users} of ${total} users\r\n`;

/** Joins pieces of text, for fewer writes. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/**
 * Every user of a service as pieces of text, and at the end their number. An export that is cut off ends with a line that says
 * so, and with the failure.
 */
export function exportUsers(options: ExportOptions) {
  const count: Count = { users: 0, total: Number.NaN, last: 0 };
  let failure: Error | undefined;
  async function* whole(): AsyncGenerator<string> {
    try {
      yield* users(options, count);
    } catch (error) {
      failure = new Stop(options.signal.aborted ? 'Stopped before the end' : reasonOf(error), { cause: error });
      if (!Number.isNaN(count.total)) yield cutMark(count);
    }
  }
  return {
    chunks: inChunks(whole()),
    /** @throws {Stop} when not all users came */
    result(): number {
      if (failure) throw failure;
      return count.users;
    },
  };
}
