import type { paths } from '../../../docs/openapi.d.ts';
import type { FilterParameter } from '../../http/listingRules.ts';
import type { Runtime } from '../../runtime.ts';
import { ask } from './ask.ts';
import type { Client, Connection } from './client.ts';
import { type CsvRecord, nextRecord, parseCells } from './csvRecords.ts';
import { decoded } from './encoding.ts';
import { formatters, type OutputFormat } from './formats.ts';
import { type LineReader, linesOf, lookAhead } from './lines.ts';
import { reasonOf, Stop } from './stop.ts';

/** The size of a write, in UTF-16 units. */
const CHUNK = 65_536;

/** The filters of a stream, by the names of their parameters. */
export type Filters = Pick<NonNullable<paths['/api/users/all']['get']['parameters']['query']>, FilterParameter>;

export interface ExportOptions {
  connection: Connection;
  runtime: Runtime;
  format: OutputFormat;
  /** The values of the parameter `sort`. Empty for the order of ids. */
  sort: readonly string[];
  filters: Filters;
  onProgress: (users: number, total: number) => void;
  say: (sentence: string) => void;
  signal: AbortSignal;
}

async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  async function* buffers(): AsyncGenerator<Buffer> {
    for await (const chunk of body) yield Buffer.from(chunk);
  }
  for await (const { text } of decoded(buffers(), 'The response')) yield text;
}

const cutOff = (): Stop => new Stop('The response ends in the middle of a user');

async function nextUser(reader: LineReader, columns: number): Promise<CsvRecord | undefined> {
  const read = (text: string) => parseCells(text, ',');
  const record = await nextRecord(reader, read, (cells) => cells.length === columns);
  if (record && (record.cells?.length !== columns || record.end === '')) throw cutOff();
  return record;
}

/** The id of the newest user; 0 if there is none. It tells whether a stream has reached the end. */
async function newestId({ connection, runtime, filters, signal }: ExportOptions): Promise<number> {
  const query = { ...filters, size: 1, sort: ['id,desc'] };
  const { data } = await ask((client) => client.GET('/api/users', { params: { query }, signal }), connection, runtime);
  return (typeof data === 'object' && 'content' in data && data.content[0]?.id) || 0;
}

/** Whether a stream in the order of ids is complete: it must have every user that existed at its start. */
async function isWhole(
  { connection, runtime, filters, signal }: ExportOptions,
  last: number,
  newest: number,
): Promise<boolean> {
  const query = { ...filters, cursor: last };
  const { data } = await ask(
    (client) => client.GET('/api/users/cursor', { params: { query }, signal }),
    connection,
    runtime,
  );
  return Array.isArray(data) && data.every(({ id }) => id > newest);
}

interface Count {
  users: number;
  total: number;
  /** The id of the last one. */
  last: number;
}

async function checkCount(options: ExportOptions, { users, total, last }: Count, newest: number): Promise<void> {
  if (users === total) return;
  const found = `${users} users came, and the service counted ${total} at the start`;
  if (options.sort.length > 0) throw new Stop(`${found}: users were written during the export, or some are missing`);
  if (!(await isWhole(options, last, newest))) throw new Stop(`${found}: some are missing`);
  options.say(`${found}: some were written during the export`);
}

async function* users(options: ExportOptions, count: Count): AsyncGenerator<string> {
  const { connection, runtime, format, sort, filters, onProgress, signal } = options;
  const newest = sort.length > 0 ? 0 : await newestId(options);
  const stream = (client: Client) =>
    client.GET('/api/users/all', {
      params: { query: { ...filters, sort: [...sort] } },
      headers: { accept: 'text/csv' },
      parseAs: 'stream',
      signal,
    });
  const { data, headers } = await ask(stream, connection, runtime);
  count.total = Number(headers.get('x-total-count') ?? Number.NaN);
  if (Number.isNaN(count.total)) throw new Stop('The response has no X-Total-Count: is --url the URL of the service?');
  const reader = lookAhead(linesOf(texts(data)));
  const head = await nextRecord(
    reader,
    (text) => parseCells(text, ','),
    () => true,
  );
  if (!head?.cells || head.end === '') throw cutOff();
  const columns = head.cells.map(String);
  const { headLine, line } = formatters(columns)[format];
  yield headLine;
  for (let user = await nextUser(reader, columns.length); user; user = await nextUser(reader, columns.length)) {
    yield line(user);
    count.users++;
    count.last = Number(user.cells?.[columns.indexOf('id')]);
    onProgress(count.users, count.total);
  }
  await checkCount(options, count, newest);
}

/** The last line of an incomplete file. It is neither JSON nor CSV with these columns, so no program takes it for a user. */
const cutMark = ({ users, total }: Count): string =>
  `The export was cut off after ${users} of ${Number.isNaN(total) ? 'all' : total} users\r\n`;

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
