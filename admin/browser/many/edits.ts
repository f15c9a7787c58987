/** The change of many users: what each row of its panel makes of a property. */
import type { Body } from '../data/connection.ts';
import {
  bodyOf,
  type Entry,
  entryOf,
  FIELD_NAMES,
  faultOf,
  KINDS,
  type Kind,
  shownKinds,
  valueIn,
} from '../data/edit.ts';
import { ATTRIBUTE, isAttribute } from '../data/filters.ts';

/** A value of a kind, what lists get or lose, or that there is no value any more. */
export type Way = Kind | 'gets' | 'loses' | 'none';

export interface EditRow extends Entry {
  key: number;
  way: Way;
  /** Whether the name of its attribute is typed. */
  isNamed?: boolean;
  wasLeft?: boolean;
}

/** A change of many gives them no name of their own elsewhere. */
export const EDITED = [...new Set(['status', 'country', ...FIELD_NAMES])].filter((field) => field !== 'externalId');

const OWN_WAYS = new Map<Way, string>([
  ['gets', 'gets'],
  ['loses', 'loses'],
  ...KINDS.map((kind): [Way, string] => [kind, `becomes ${kind === 'yes / no' ? kind : `a ${kind}`}`]),
  ['none', 'is taken away'],
]);

const FIELD_WAYS = new Map<Way, string>([
  ['text', 'becomes'],
  ['none', 'is taken away'],
]);

/** The ways that a property can go, and what they are called. */
export function waysOf(property: string): ReadonlyMap<Way, string> {
  if (isAttribute(property)) return OWN_WAYS;
  return property === 'name' ? new Map([...FIELD_WAYS].slice(0, 1)) : FIELD_WAYS;
}

/** The way of an attribute is that of the values that were shown of it. */
function usualWay(property: string): Way {
  const kind = shownKinds.get(property) ?? 'list';
  return isAttribute(property) ? (kind === 'list' ? 'gets' : kind) : 'text';
}

export function rowOf(property: string, key: number, way: Way = usualWay(property)): EditRow {
  const kind = way === 'gets' || way === 'loses' ? 'list' : way === 'none' ? 'text' : way;
  const entry = entryOf(property, undefined);
  return { ...entry, kind: isAttribute(property) ? kind : entry.kind, key, way };
}

/** The fault of a row. Empty: it says nothing yet. */
export function faultOfRow(row: EditRow, rows: readonly EditRow[]): string | undefined {
  const { property, way, text, items } = row;
  const isTwice = rows.some((other) => other.key !== row.key && other.property === property);
  if (property === ATTRIBUTE) return 'A name is missing';
  if (isTwice) return 'There are two of it';
  if (way === 'none') return undefined;
  const fault = faultOf(row, [row]);
  if (fault) return isAttribute(property) && fault.includes('Write') ? `${fault}, or choose text` : fault;
  return text.trim() === '' && items.length === 0 ? '' : undefined;
}

/** The members of an edit. */
const memberOf = (way: Way): string => (way === 'gets' ? 'add' : way === 'loses' ? 'remove' : 'patch');

/** The change for all of them. Undefined: it is not whole yet. */
export function changeIn(rows: readonly EditRow[]): Body | undefined {
  if (rows.length === 0 || rows.some((row) => faultOfRow(row, rows) !== undefined)) return undefined;
  const members = Map.groupBy(rows, ({ way }) => memberOf(way));
  const bodies = [...members].map(([member, those]) => [
    member,
    bodyOf(those.map((row) => [row.property, row.way === 'none' ? null : (valueIn(row) ?? null)])),
  ]);
  return Object.fromEntries(bodies);
}
