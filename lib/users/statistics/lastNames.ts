import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { type EncodedFilters, filtersOf, partitionOf, prefixEnd, SEPARATOR } from '../keys.ts';
import { fold } from '../text.ts';
import type { User } from '../user.ts';
import { visitCounts } from './counts.ts';
import type { Row } from './rows.ts';

const mapOf = (suffix: string): string => `names:${String.fromCodePoint(suffix.codePointAt(0) ?? 0)}`;

/**
 * The rows of a last name: one for each of its suffixes, which is followed by what precedes it. A piece of a name is the
 * beginning of one of its suffixes, so the names with a keyword in them stand in one stretch.
 */
export function lastNameRows(user: User): Row[] {
  if (!user.lastName) return [];
  const name = fold(user.lastName);
  const bucket = partitionOf(EXACT_FIELDS, filtersOf(user));
  const rows: Row[] = [];
  for (let at = 0; at < name.length; at += (name.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    const suffix = name.slice(at);
    rows.push({ map: mapOf(suffix), key: suffix + SEPARATOR + name.slice(0, at), bucket, n: 1 });
  }
  return rows;
}

/** The last names, folded, that contain a keyword, and how many users have them. */
export interface LastNames {
  /** By name: how many users with some values have it. Names that none of them has are left out. */
  byName(values: EncodedFilters): Map<string, number>;
  /** By encoded value of a field: how many users with some values have one of the names. */
  byValue(field: ExactField, values: EncodedFilters): Map<string, number>;
}

/** One count: how many users of a bucket have a name. */
interface Count {
  name: string;
  bucket: string;
  n: number;
}

function sumBy(counts: readonly Count[], values: EncodedFilters, keyOf: (count: Count, parts: string[]) => string) {
  const wanted = EXACT_FIELDS.map((field) => values[field]);
  const partsOf = new Map<string, string[] | undefined>();
  for (const { bucket } of counts) {
    if (partsOf.has(bucket)) continue;
    const parts = bucket.split(SEPARATOR);
    partsOf.set(bucket, wanted.every((value, i) => value === undefined || value === parts[i]) ? parts : undefined);
  }
  const sums = new Map<string, number>();
  for (const count of counts) {
    const parts = partsOf.get(count.bucket);
    if (!parts) continue;
    const key = keyOf(count, parts);
    sums.set(key, (sums.get(key) ?? 0) + count.n);
  }
  for (const [key, n] of sums) if (n === 0) sums.delete(key);
  return sums;
}

/** Exact. Reads the stretch of suffixes that begin with the keyword, which must be folded. */
export async function findLastNames(database: Database, journal: Journal, keyword: string): Promise<LastNames> {
  const counts: Count[] = [];
  const range = { map: mapOf(keyword), from: keyword, to: prefixEnd(keyword), rowsOf: lastNameRows };
  let lastKey: string | undefined;
  let name: string | undefined;
  await visitCounts(database, journal, range, (key, bucket, n) => {
    if (key !== lastKey) {
      lastKey = key;
      const end = key.indexOf(SEPARATOR);
      const whole = key.slice(end + 1) + key.slice(0, end);
      // A name that contains the keyword twice is counted where it does so first.
      name = whole.indexOf(keyword) === key.length - end - 1 ? whole : undefined;
    }
    if (name !== undefined) counts.push({ name, bucket, n });
  });
  return {
    byName: (values) => sumBy(counts, values, (count) => count.name),
    byValue: (field, values) => sumBy(counts, values, (_, parts) => parts[EXACT_FIELDS.indexOf(field)] ?? ''),
  };
}
