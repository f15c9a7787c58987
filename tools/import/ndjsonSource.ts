import { parseExactly } from '../../lib/http/request/numbers.ts';
import { checkColumns, type SourceOptions, takenOf, withName } from './columns.ts';
import { FOR_A_DOCUMENT, type Lines } from './lines.ts';
import type { Source, SourceEntry } from './source.ts';
import { reasonOf, Stop } from './stop.ts';

/** Enough lines to see which members users have. */
const FIRST_LINES = 10;

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactly(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function entryOf(text: string, { map }: SourceOptions): Partial<SourceEntry> {
  const value = parseObject(text);
  if (!value) return { flaw: 'The line is not a JSON object' };
  try {
    const members = Object.entries(value);
    const columns = takenOf(Object.keys(value), map, 'The line');
    const taken = members.flatMap(([, member], index) => (columns[index] ? [[columns[index], member]] : []));
    const { id, ...user } = Object.fromEntries(taken);
    return { user: withName(user), ...(id !== undefined && { id }) };
  } catch (error) {
    return { flaw: reasonOf(error) };
  }
}

async function* entriesOf(lines: Lines, options: SourceOptions): AsyncGenerator<SourceEntry> {
  while ((await lines.at(0)) !== undefined) {
    const { line, text } = lines.take(1);
    if (text.trim() !== '') yield { line, origin: text, ...entryOf(text, options) };
  }
}

const EARLIER_REASON = /^\{"line":\d+,"message":"(?:[^"\\]|\\.)*",?/;

/** The line behind its number and the reason. Its own text stays as it is: numbers are not rounded. */
function withReason(text: string, line: number, message: string): string {
  const reason = JSON.stringify({ line, message }).slice(0, -1);
  if (!parseObject(text)) return `${reason},"text":${JSON.stringify(text)}}`;
  const members = text.trim().replace(EARLIER_REASON, '{').slice(1);
  return `${reason}${members.trim() === '}' ? '' : ','}${members}`;
}

/**
 * Users as JSON objects, one per line (https://github.com/ndjson/ndjson-spec).
 *
 * @throws {Stop} when the first lines have no names: it is one document, or its members are called something else
 */
export async function ndjsonSource(lines: Lines, options: SourceOptions): Promise<Source> {
  const first: ReturnType<typeof parseObject>[] = [];
  for (let index = 0; index < FIRST_LINES; index++) first.push(parseObject((await lines.at(index)) ?? ''));
  const names = first[0] ? [...new Set(first.flatMap((user) => Object.keys(user ?? {})))] : [];
  try {
    const taken = names.map((name) => takenOf([name], options.map)[0]);
    checkColumns(names, taken, options);
  } catch (error) {
    throw new Stop(`${reasonOf(error)}\n${FOR_A_DOCUMENT}`);
  }
  return {
    entries: entriesOf(lines, options),
    refusedHead: '',
    refusedLine: ({ line, origin }, message) => `${withReason(String(origin), line, message)}\n`,
  };
}
