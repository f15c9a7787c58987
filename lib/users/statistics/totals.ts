import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Head } from '../journal/head.ts';
import type { Journal } from '../journal/journal.ts';
import { type EncodedFilters, exactText, filtersOf, prefixEnd, SEPARATOR, valueOfText } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { visitCounts } from './counts.ts';
import { CHECKSUM, COUNT, memberHash } from './members.ts';
import { positionOf } from './page.ts';
import { FIRST_BOUND, readFloorEntries } from './pages.ts';
import type { Row } from './rows.ts';

/** A map of the values of a field, in sort order, for the users with some values of other fields. */
interface Totals {
  field: ExactField;
  within: readonly ExactField[];
}

const others = (field: ExactField): ExactField[] => EXACT_FIELDS.filter((other) => other !== field);

const TOTALS: readonly Totals[] = EXACT_FIELDS.flatMap((field) => [
  { field, within: [] },
  { field, within: others(field) },
]);

const mapOf = ({ field, within }: Totals): string => `totals:${[...within, field].join(',')}`;

const prefixOf = ({ within }: Totals, values: EncodedFilters): string =>
  within.map((field) => `${values[field]}${SEPARATOR}`).join('');

const keyOf = (totals: Totals, values: EncodedFilters): string =>
  prefixOf(totals, values) + exactText(values[totals.field] ?? '');

const sameFields = (a: Totals, b: Totals): boolean =>
  [...a.within, a.field].sort().join() === [...b.within, b.field].sort().join();

/** The totals that include a user. */
export function totalsRows(user: User): Row[] {
  const values = filtersOf(user);
  const member = memberHash(user);
  return TOTALS.flatMap((totals) => {
    const place = { map: mapOf(totals), key: keyOf(totals, values) };
    return [
      { ...place, bucket: COUNT, n: 1 },
      { ...place, bucket: CHECKSUM, n: member },
    ];
  });
}

/** How many users have these values. Exact. Costs one read unit, or nothing without values. */
export async function readTotal(database: Database, journal: Journal, values: EncodedFilters): Promise<number> {
  const [field, ...within] = EXACT_FIELDS.filter((name) => values[name] !== undefined);
  if (field === undefined) return journal.total;
  const totals = { field, within };
  const key = keyOf(totals, values);
  let total = 0;
  const range = { map: mapOf(totals), from: key, to: key, rowsOf: totalsRows };
  await visitCounts(database, journal, range, (_, bucket, n) => {
    if (bucket === COUNT) total += n;
  });
  return total;
}

/** The values whose total a key of a map is; undefined for other maps, and where another map has the same total. */
export function valuesOfTotal(map: string, key: string): EncodedFilters | undefined {
  const totals = TOTALS.find((each) => mapOf(each) === map);
  if (!totals || totals !== TOTALS.find((each) => sameFields(each, totals))) return undefined;
  const parts = key.split(SEPARATOR);
  const within = totals.within.map((field, i) => [field, parts[i]]);
  return Object.fromEntries([...within, [totals.field, valueOfText(key)]]);
}

/** A total without the journal, and the checksum of its users. */
export interface StoredTotal {
  users: number;
  checksum: number;
}

export async function readStoredTotal(database: Database, head: Head, values: EncodedFilters): Promise<StoredTotal> {
  const [field, ...within] = EXACT_FIELDS.filter((name) => values[name] !== undefined);
  if (field === undefined) return { users: head.total, checksum: head.checksum };
  const totals = { field, within };
  const key = keyOf(totals, values);
  const floor = await readFloorEntries(database, mapOf(totals), positionOf(key, CHECKSUM));
  const counts = floor?.entries.find((entry) => entry.key === key)?.counts;
  return { users: counts?.get(COUNT) ?? 0, checksum: counts?.get(CHECKSUM) ?? 0 };
}

/** A value of a field, encoded, and how many users have it. */
export interface ValueTotal {
  value: string;
  total: number;
}

/**
 * The values of a field among the users with some values of the others, in the order of a sort by the field.
 *
 * @param text only the values with this sort text
 */
export async function readValues(
  database: Database,
  journal: Journal,
  field: ExactField,
  values: EncodedFilters,
  text?: string,
): Promise<ValueTotal[]> {
  const totals = { field, within: others(field).filter((name) => values[name] !== undefined) };
  const prefix = prefixOf(totals, values) + (text === undefined ? '' : `${text}${SEPARATOR}`);
  const found = new Map<string, number>();
  await visitCounts(
    database,
    journal,
    {
      map: mapOf(totals),
      from: prefix || FIRST_BOUND,
      to: prefixEnd(prefix),
      isShort: prefix !== '',
      rowsOf: totalsRows,
    },
    (key, bucket, n) => {
      if (bucket === COUNT) found.set(key, (found.get(key) ?? 0) + n);
    },
  );
  return [...found]
    .filter(([, total]) => total > 0)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, total]) => ({ value: valueOfText(key), total }));
}
