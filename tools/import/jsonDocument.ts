import { parseExactly } from '../../lib/http/request/numbers.ts';
import { type ColumnMap, hasName, takenOf } from './columns.ts';

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

/** The users of a document: what it calls so, else its longest list of objects, else the document itself. */
const USERS = '(.users? // .Users? // ([.. | arrays | select(.[0] | objects)] | max_by(length)) // [.])[]';
const WITHOUT_COMMAS = 'gsub("^\\\\s*,|,\\\\s*$"; "") | select(test("\\\\S")) | fromjson';

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** The command that makes lines of a JSON document. */
export function jqCommand(shape: JsonShape, path: string): string {
  const command = shape === 'document' ? `jq -c '${USERS}'` : `jq -Rc '${WITHOUT_COMMAS}'`;
  return path === '-' ? command : `${command} ${quoted(path)} > ${quoted(`${path}.ndjson`)}`;
}
