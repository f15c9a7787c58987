import { type Column, hasName, takenOf, withName, withoutName } from './columns.ts';
import { isRecord, parseJson } from './jsonDocument.ts';
import { type CsvRecord, MAX_LINE, recordsOf } from './records.ts';
import type { Source, SourceEntry, SourceOptions } from './source.ts';
import { reasonOf } from './stop.ts';

/** An entry in a file of refused lines has these besides the user. */
const REFUSED_MEMBERS = ['line', 'message'];

const MAX_UNKNOWN = 20;

/** Reports each name once, and not too many: a file may have as many names as lines. */
function namingOnce(say: (sentence: string) => void): (name: string) => void {
  const named = new Set<string>();
  return (name) => {
    if (named.has(name) || named.size >= MAX_UNKNOWN) return;
    named.add(name);
    say(`A member that is not taken: ${JSON.stringify(name)}`);
  };
}

function readMembers(value: Record<string, unknown>, options: SourceOptions, onOther: (name: string) => void) {
  const names = Object.keys(value);
  const taken = takenOf(names, options.map, 'The line');
  const members: [Column, unknown][] = [];
  for (const [index, name] of names.entries()) {
    const column = taken[index];
    if (column !== undefined) members.push([column, value[name]]);
    if (!options.isTaken(column, name) && !REFUSED_MEMBERS.includes(name)) onOther(name);
  }
  return Object.fromEntries(members);
}

function toEntry({ line, text }: CsvRecord, options: SourceOptions, onOther: (name: string) => void): SourceEntry {
  if (text.length > MAX_LINE) return { line, origin: text, flaw: `The line is longer than ${MAX_LINE} characters` };
  const value = parseJson(text);
  if (!isRecord(value)) return { line, origin: text, flaw: 'The line is not a JSON object' };
  try {
    const { id, ...user } = readMembers(value, options, onOther);
    return { line, origin: text, user: withName(user), ...(id !== undefined && { id }) };
  } catch (error) {
    return { line, origin: text, flaw: reasonOf(error) };
  }
}

async function* entriesOf(records: AsyncIterable<CsvRecord>, options: SourceOptions): AsyncGenerator<SourceEntry> {
  const onOther = namingOnce(options.say);
  for await (const record of records) if (record.text.trim() !== '') yield toEntry(record, options, onOther);
}

const EARLIER_REASON = /^"line"\s*:\s*\d+\s*,\s*"message"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}$/;

/** The members of an object without what an earlier import has added, up to the closing brace. */
function membersOf(text: string): string {
  const reason = text.lastIndexOf('"line"');
  if (reason < 0 || !EARLIER_REASON.test(text.slice(reason))) return text.slice(0, -1).trimEnd();
  const before = text.slice(0, reason).trimEnd();
  return before.endsWith(',') ? before.slice(0, -1).trimEnd() : before;
}

/** The line with its number and the reason. Its own text stays as it is: numbers are not rounded. */
function withReason(text: string, line: number, message: string): string {
  const reason = JSON.stringify({ line, message }).slice(1);
  if (!isRecord(parseJson(text))) return `{"text":${JSON.stringify(text)},${reason}`;
  const members = membersOf(text.trim());
  return `${members}${members === '{' ? '' : ','}${reason}`;
}

/** Nobody in the beginning of the file has a name: its members are called something else. */
function refuseWithoutName(lines: readonly string[], options: SourceOptions): void {
  const objects = lines.map(parseJson).filter(isRecord);
  const names = [...new Set(objects.flatMap(Object.keys))].filter((name) => !REFUSED_MEMBERS.includes(name));
  const taken = names.map((name) => takenOf([name], options.map)[0]);
  if (names.length > 0 && !hasName(taken)) throw withoutName(options.name, names, taken);
}

/**
 * Users as JSON objects, one per line (https://github.com/ndjson/ndjson-spec).
 *
 * @param lines the first lines
 * @throws {Stop} when none of them has a name
 */
export function ndjsonSource(text: AsyncIterable<Buffer>, lines: readonly string[], options: SourceOptions): Source {
  refuseWithoutName(lines, options);
  // No line has a NUL, so each is one cell.
  const records = recordsOf(text, { delimiter: '\0', quote: null, line: options.line });
  return {
    entries: entriesOf(records, options),
    refusedHead: '',
    refusedLine: ({ line, origin }, message) => `${withReason(String(origin), line, message)}\n`,
  };
}
