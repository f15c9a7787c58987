import { parseExactly } from '../../lib/http/request/numbers.ts';
import { type ColumnMap, hasName, takenOf } from './columns.ts';

/** More of a document is not read to find its users. */
const MAX_DOCUMENT = 64 * 1_048_576;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** How many brackets are open at the end of a text, and how many values have ended before its end. */
function brackets(text: string): { open: number; values: number } {
  let [open, values] = [0, 0];
  // Strings first: brackets in them mean nothing.
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{]|[\]}]/g)) {
    if (part === '{' || part === '[') open++;
    else if ((part === '}' || part === ']') && --open === 0) values++;
  }
  return { open, values };
}

export type JsonShape = 'lines' | 'document' | 'lines with commas';

/** Whether JSON has one object per line, by the lines at its beginning. */
export function shapeOf([first = '', second = '']: readonly string[], map: ColumnMap): JsonShape {
  const value = parseJson(first);
  if (isRecord(value)) {
    if (second.trimStart().startsWith(',')) return 'lines with commas';
    const holdsUsers = Object.values(value).some((member) => Array.isArray(member) && member.some(isRecord));
    return holdsUsers && !hasName(takenOf(Object.keys(value), map)) ? 'document' : 'lines';
  }
  if (first.trimEnd().endsWith(',') && isRecord(parseJson(first.trimEnd().slice(0, -1)))) return 'lines with commas';
  const { open, values } = brackets(first);
  return first.trimStart().startsWith('[') || open > 0 || values > 1 ? 'document' : 'lines';
}

/** A member of an object as a jq filter. */
const step = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

interface Found {
  filter: string;
  score: number;
}

/** How many columns of ours some objects have. */
function columnsOf(objects: readonly object[], map: ColumnMap): number {
  const names = new Set(objects.slice(0, 100).flatMap(Object.keys));
  return [...names].filter((name) => takenOf([name], map)[0] !== undefined).length;
}

/** The lists of objects in a document, with how likely they are to be its users. */
function listsIn(value: unknown, filter: string, map: ColumnMap, depth = 3): Found[] {
  if (Array.isArray(value)) {
    const objects = value.filter(isRecord);
    const bonus = /users"?\]?$/i.test(filter) ? 10 : 0;
    return objects.length > 0 ? [{ filter: `${filter}[]`, score: bonus + columnsOf(objects, map) }] : [];
  }
  if (!isRecord(value) || depth === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => listsIn(member, filter + step(name), map, depth - 1));
}

/** The filter of jq that gives the users of a document. */
function filterFor(text: string, map: ColumnMap): string {
  const value = parseJson(text);
  if (Array.isArray(value)) return '.[]';
  const [best] = listsIn(value, '', map).toSorted((a, b) => b.score - a.score);
  if (best === undefined) return '.';
  return best.filter.startsWith('.') ? best.filter : `.${best.filter}`;
}

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** The command that makes lines of a JSON document. */
export async function jqCommand(
  text: AsyncIterable<Buffer>,
  { shape, path, map }: { shape: JsonShape; path: string; map: ColumnMap },
): Promise<string> {
  const isFile = path !== '-';
  const target = isFile ? ` ${quoted(path)} > ${quoted(`${path}.ndjson`)}` : '';
  if (shape === 'lines with commas')
    return `jq -Rc 'gsub("^\\\\s*,|,\\\\s*$"; "") | select(test("\\\\S")) | fromjson'${target}`;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of text) {
    size += part.length;
    if (size > MAX_DOCUMENT) break;
    parts.push(part);
  }
  return `jq -c ${quoted(filterFor(Buffer.concat(parts).toString(), map))}${target}`;
}
