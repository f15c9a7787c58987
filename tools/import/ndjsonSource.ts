import { escapeBreaks, parseExactly } from '../../lib/ground/index.ts';
import { reasonOf, Stop } from '../program/stop.ts';
import { begin } from './beginning.ts';
import { checkColumns, hasNames, type SeenColumn } from './checkColumns.ts';
import {
  checkNamed,
  fallbacksIn,
  listed,
  meantBy,
  type SourceOptions,
  type Taken,
  takenOf,
  userOf,
} from './columns.ts';
import { adviceFor, candidatesIn, firstValue, MAX_DOCUMENT } from './document.ts';
import { isOurs } from './foreign.ts';
import { FOR_A_DOCUMENT } from './jq.ts';
import { isAddress } from './likely.ts';
import type { Joined, Lines } from './lines.ts';
import type { Source, SourceEntry } from './source.ts';

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactly(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Elsewhere people have numbers. One that would be rounded is none. */
const textIn = (key: unknown): unknown => (Number.isSafeInteger(key) ? String(key) : key);

const TITLE = 'The line';

/**
 * The meanings of the members of a line. One that would be an attribute is left out if its name is none, or that of another one.
 *
 * @throws {Stop} when two stand for the same field
 */
function takenIn(names: readonly string[], options: SourceOptions): { columns: Taken; leftOut: readonly string[] } {
  try {
    return { columns: takenOf(names, options, TITLE), leftOut: [] };
  } catch (error) {
    if (!options.takesOthers) throw error;
  }
  const isOther = (name: string) => takenOf([name], { ...options, takesOthers: false })[0] === undefined;
  const kept = names.filter((name) => !isOther(name));
  const leftOut: string[] = [];
  for (const name of names.filter(isOther)) {
    try {
      takenOf([...kept, name], options);
      kept.push(name);
    } catch {
      leftOut.push(name);
    }
  }
  const columns = takenOf(kept, options, TITLE);
  return { columns: names.map((name) => columns[kept.indexOf(name)]), leftOut };
}

function entryOf(text: string, options: SourceOptions): Partial<SourceEntry> {
  const value = parseObject(text);
  if (!value) return { flaw: 'The line is not a JSON object' };
  try {
    const members = Object.entries(value);
    const { columns, leftOut } = takenIn(Object.keys(value), options);
    const taken = members.flatMap(([, member], index) => {
      const column = columns[index];
      return column ? [[column, column === 'externalId' ? textIn(member) : member] as const] : [];
    });
    const fallbacks = fallbacksIn(Object.keys(value), options).map((name) => textIn(value[name]));
    const { id, createdAt, ...user } = userOf(taken, fallbacks);
    const about = {
      ...(isOurs(value.id, value.createdAt) && { isOurs: true }),
      ...(leftOut.length > 0 && { leftOut }),
    };
    return { user, createdAt, ...about, ...(id !== undefined && { id }) };
  } catch (error) {
    return { flaw: reasonOf(error) };
  }
}

/** Without empty ones. */
async function* linesOf(lines: Lines): AsyncGenerator<Joined> {
  while ((await lines.at(0)) !== undefined) {
    const line = lines.take(1);
    if (line.text.trim() !== '') yield line;
  }
}

/** No field is an object or a list, but an address in it must not be lost. */
function textOf(value: unknown, depth = 3): string {
  if (typeof value !== 'object') return String(value).trim();
  const texts = depth > 0 ? Object.values(value ?? {}).map((each) => textOf(each, depth - 1)) : [];
  return texts.find((text) => isAddress(text)) ?? '';
}

/** The members of the first users, as columns. */
function seenIn(users: readonly Record<string, unknown>[], options: SourceOptions): SeenColumn[] {
  const columns = new Map<string, { cells: string[]; nested: number; plain: number }>();
  for (const [name, value] of users.flatMap((user) => Object.entries(user))) {
    const column = columns.get(name) ?? { cells: [], nested: 0, plain: 0 };
    columns.set(name, column);
    if (value === null) continue;
    column[typeof value === 'object' ? 'nested' : 'plain']++;
    const text = textOf(value);
    if (text !== '') column.cells.push(text);
  }
  return [...columns].map(([name, { cells, nested, plain }]) => ({
    ...{ name, column: takenOf([name], options)[0], cells },
    isNested: nested > plain,
  }));
}

/** Whether an object is no user, but has a list of them, which is not ignored. */
const hasUsers = (object: Record<string, unknown>, options: SourceOptions): boolean =>
  candidatesIn(object).some(
    ({ filter, users: [first = {}] }) =>
      filter !== '.' &&
      !options.map.some(({ from, to }) => !to && filter.startsWith(`.${from}`)) &&
      Object.keys(first).some((name) =>
        ['name', 'email'].includes(takenOf([name], { ...options, takesOthers: false })[0] ?? ''),
      ),
  );

/** How to make lines of a text, if that is one document. */
async function adviceOn(lines: AsyncIterable<Joined>): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const { text } of lines) {
    length += text.length;
    if (length > MAX_DOCUMENT) return FOR_A_DOCUMENT;
    texts.push(text);
  }
  const document = firstValue(texts.join('\n'));
  return document === undefined ? FOR_A_DOCUMENT : adviceFor(document);
}

const EARLIER_REASON = /^\{"line":\d+,"message":"(?:[^"\\]|\\.)*",?/;

/** The line behind its number and the reason. Its own text stays as it is: numbers are not rounded. */
function withReason(text: string, line: number, message: string): string {
  const reason = escapeBreaks(JSON.stringify({ line, message })).slice(0, -1);
  if (!parseObject(text)) return `${reason},"text":${escapeBreaks(JSON.stringify(text))}}`;
  const members = escapeBreaks(text.trim()).replace(EARLIER_REASON, '{').slice(1);
  return `${reason}${members.trim() === '}' ? '' : ','}${members}`;
}

/** A member that no line has is a misspelt one. @throws {Stop} when the lines are known to their end */
function checkOptions(
  names: readonly string[],
  isWhole: boolean,
  { map, nameFrom = [], title, say }: SourceOptions,
): void {
  const meant = [...map.filter(({ to }) => to).map(({ from }) => from), ...nameFrom];
  if (isWhole) checkNamed(meant, names, title);
  const missing = meant.filter((from) => meantBy(from, names).length === 0);
  if (missing.length > 0) say(`None of the first lines has ${listed(missing)}`);
}

/**
 * Users as JSON objects, one per line (https://github.com/ndjson/ndjson-spec).
 *
 * @throws {Stop} when the first lines have no names: it is one document, or its members are called something else
 */
export async function ndjsonSource(lines: Lines, options: SourceOptions): Promise<Source> {
  const { first, isWhole, all } = await begin(linesOf(lines));
  const users = first.map(({ text }) => parseObject(text));
  const isDocument = !users[0] || (first.length === 1 && hasUsers(users[0], options));
  if (isDocument) throw new Stop(`${options.title} has not one user per line.\n${await adviceOn(all)}`);
  const seen = seenIn(
    users.filter((user) => user !== undefined),
    options,
  );
  checkOptions(
    seen.map(({ name }) => name),
    isWhole,
    options,
  );
  try {
    checkColumns(seen, isWhole, options);
  } catch (error) {
    const isList = users.length === 1 && candidatesIn(users[0])[0]?.filter !== '.';
    if (hasNames(seen.map(({ column }) => column)) || !isList) throw error;
    throw new Stop(`${reasonOf(error)}\n${adviceFor(users[0])}`);
  }
  async function* entries(): AsyncGenerator<SourceEntry> {
    for await (const { line, text } of all) yield { line, origin: text, ...entryOf(text, options) };
  }
  return {
    entries: entries(),
    refusedHead: '',
    refusedLine: ({ line, origin }, message) => `${withReason(String(origin), line, message)}\n`,
  };
}
