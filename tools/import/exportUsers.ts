import type { paths } from '../../docs/openapi.d.ts';
import type { FilterParameter } from '../../lib/http/listingRules.ts';
import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import type { Service } from './client.ts';
import { splitLines } from './lines.ts';
import { type Cell, cellsOf } from './records.ts';
import { reasonOf, Stop } from './stop.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;

export interface ExportOptions {
  service: Service;
  format: (typeof OUTPUT_FORMATS)[number];
  /** The values of the parameter `sort`. Empty for the order of ids. */
  sort: readonly string[];
  /** By the names of their parameters. */
  filters: Pick<NonNullable<paths['/api/users/all']['get']['parameters']['query']>, FilterParameter>;
  onProgress: (users: number, total: number) => void;
  say: (sentence: string) => void;
}

const NUMBERS = ['id', 'age'];

const readCell = (column: string, cell: Cell | undefined): unknown => {
  if (cell === null || cell === undefined) return undefined;
  return NUMBERS.includes(column) ? Number(cell) : unescapeFormula(cell);
};

/** JSON leaves out fields without a value. */
function toJson(columns: string, row: string): string {
  const cells = cellsOf(row, ',') ?? [];
  const members = columns.split(',').map((name, index) => [name, readCell(name, cells[index])]);
  return JSON.stringify(Object.fromEntries(members));
}

const totalIn = (headers: Headers): number => Number(headers.get('x-total-count') ?? Number.NaN);

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

/** A line of the response is a user, because no text of a user has a line break. */
async function* linesFor(options: ExportOptions, done: Export): AsyncGenerator<string> {
  const { service, format, sort, filters, onProgress } = options;
  const params = { query: { ...filters, sort: [...sort] } };
  // A filter that the service does not have would be all users.
  const headers = { accept: 'text/csv', prefer: 'handling=strict' };
  const stream = { params, headers, parseAs: 'stream' } as const;
  const answer = await service.ask(() => service.client.GET('/api/users/all', stream));
  if (!answer.data) throw new Stop(answer.reason);
  const total = totalIn(answer.headers);
  if (Number.isNaN(total)) throw new Stop('The response has no X-Total-Count: is --url the URL of the service?');
  done.total = total;
  let columns: string | undefined;
  for await (const { text, end } of splitLines(answer.data.pipeThrough(new TextDecoderStream()))) {
    if (end === '') throw new Stop('The response ends in the middle of a user');
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
