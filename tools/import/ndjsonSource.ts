import { hasName, sayOthers, takenOf, withName, withoutName } from './columns.ts';
import { isRecord, parseJson } from './json.ts';
import { type Lines, MAX_LINE } from './lines.ts';
import { REFUSED_COLUMNS, type Source, type SourceEntry, type SourceOptions } from './source.ts';
import { reasonOf } from './stop.ts';

function entryOf(text: string, { map }: SourceOptions): Partial<SourceEntry> {
  if (text.length > MAX_LINE) return { flaw: `The line is longer than ${MAX_LINE} characters` };
  const value = parseJson(text);
  if (!isRecord(value)) return { flaw: 'The line is not a JSON object' };
  const names = Object.keys(value);
  try {
    const columns = takenOf(names, map, 'The line');
    const taken = names.flatMap((name, index) => (columns[index] === undefined ? [] : [[columns[index], value[name]]]));
    const { id, ...user } = Object.fromEntries(taken);
    return { user: withName(user), ...(id !== undefined && { id }) };
  } catch (error) {
    return { flaw: reasonOf(error) };
  }
}

async function* entriesOf(lines: Lines, options: SourceOptions): AsyncGenerator<SourceEntry> {
  try {
    while (await lines.at(0)) {
      const { line, text } = lines.take(1);
      if (text.trim() !== '') yield { line, origin: text, ...entryOf(text, options) };
    }
  } finally {
    await lines.close();
  }
}

const EARLIER_REASON = /^\{"line":\d+,"message":"(?:[^"\\]|\\.)*",?/;

/** The line behind its number and the reason. Its own text stays as it is: numbers are not rounded. */
function withReason(text: string, line: number, message: string): string {
  const reason = JSON.stringify({ line, message }).slice(0, -1);
  if (!isRecord(parseJson(text))) return `${reason},"text":${JSON.stringify(text)}}`;
  const members = text.trim().replace(EARLIER_REASON, '{').slice(1);
  return `${reason}${members.trim() === '}' ? '' : ','}${members}`;
}

/**
 * Users as JSON objects, one per line (https://github.com/ndjson/ndjson-spec).
 *
 * @param first the first lines
 * @throws {Stop} when none of them has a name: their members are called something else
 */
export function ndjsonSource(lines: Lines, first: readonly string[], options: SourceOptions): Source {
  const objects = first.map(parseJson).filter(isRecord);
  const names = [...new Set(objects.flatMap(Object.keys))].filter((name) => !REFUSED_COLUMNS.includes(name));
  const taken = names.map((name) => takenOf([name], options.map)[0]);
  if (names.length > 0 && !hasName(taken)) throw withoutName(options.name, names, taken);
  sayOthers(names, taken, options);
  return {
    entries: entriesOf(lines, options),
    refusedHead: '',
    refusedLine: ({ line, origin }, message) => `${withReason(String(origin), line, message)}\n`,
  };
}
