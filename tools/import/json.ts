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

/** The users of a document: what it calls so, else its longest list of objects, else the document itself. */
const DOCUMENT = `jq -c '(.users? // .Users? // ([.. | arrays | select(.[0] | objects)] | max_by(length)) // [.])[]'`;
const LINES_WITH_COMMAS = `jq -Rc 'gsub("^\\\\s*,|,\\\\s*$"; "") | select(test("\\\\S")) | fromjson'`;

const holdsUsers = (value: Record<string, unknown>, map: ColumnMap): boolean =>
  Object.values(value).some((member) => Array.isArray(member) && member.some(isRecord)) &&
  !hasName(takenOf(Object.keys(value), map));

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** The command that makes one object per line of JSON, by its first lines. Undefined if it is so already. */
export function jqCommand([first = '', second = '']: readonly string[], map: ColumnMap, path: string) {
  const value = parseJson(first);
  if (isRecord(value) && !second.trimStart().startsWith(',') && !holdsUsers(value, map)) return undefined;
  const hasCommas = isRecord(value) ? !holdsUsers(value, map) : isRecord(parseJson(first.trimEnd().replace(/,$/, '')));
  const command = hasCommas ? LINES_WITH_COMMAS : DOCUMENT;
  return path === '-' ? command : `${command} ${quoted(path)} > ${quoted(`${path}.ndjson`)}`;
}
