import { user, userInput } from '../../../schemas/user.ts';
import { type Line, type LineReader, MAX_LINE } from './lines.ts';
import type { Source, SourceEntry } from './source.ts';

/** An entry in a file of refused lines has these besides the user. */
const REFUSED_MEMBERS = ['line', 'message'];

const isKnown = (member: string): boolean => Object.hasOwn(user.properties, member) || REFUSED_MEMBERS.includes(member);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(userInput.properties)
      .filter((field) => Object.hasOwn(value, field))
      .map((field) => [field, value[field]]),
  );

function toSourceEntry({ number: line, text }: Line, onUnknown: (member: string) => void): SourceEntry {
  if (text.length > MAX_LINE) return { line, origin: text, flaw: `The line is longer than ${MAX_LINE} characters` };
  const value = parsed(text);
  if (!isRecord(value)) return { line, origin: text, flaw: 'The line is not a JSON object' };
  for (const member of Object.keys(value)) if (!isKnown(member)) onUnknown(member);
  return { line, origin: text, user: fieldsOf(value), ...(Object.hasOwn(value, 'id') && { id: value.id }) };
}

async function* entriesOf(reader: LineReader, onUnknown: (member: string) => void): AsyncGenerator<SourceEntry> {
  for (let line = await reader.peek(); line !== undefined; line = await reader.peek()) {
    reader.take();
    if (line.text.trim() !== '') yield toSourceEntry(line, onUnknown);
  }
}

/** What an earlier import has added to a line. */
const EARLIER_REASON = /,"line":\d+,"message":"(?:[^"\\]|\\.)*"\}$/;

/** The line with its number and the reason. Its own text stays as it is: numbers are not rounded. */
function withReason(text: string, line: number, message: string): string {
  const reason = JSON.stringify({ line, message }).slice(1);
  if (!isRecord(parsed(text))) return `{"text":${JSON.stringify(text)},${reason}`;
  const members = text.trim().replace(EARLIER_REASON, '}').slice(0, -1).trimEnd();
  return `${members}${members === '{' ? '' : ','}${reason}`;
}

/** Users as JSON objects, one per line (https://github.com/ndjson/ndjson-spec). */
export const ndjsonSource = (reader: LineReader, onUnknown: (member: string) => void): Source => ({
  entries: entriesOf(reader, onUnknown),
  refusedHead: '',
  refusedLine: ({ line, origin }, message) => `${withReason(String(origin), line, message)}\n`,
});
