import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { type EncodedFilters, filtersOf, partitionOf, prefixEnd, SEPARATOR } from '../keys.ts';
import { foldCase } from '../text.ts';
import type { User } from '../user.ts';
import { visitCounts } from './counts.ts';
import type { Row } from './rows.ts';

const mapOf = (suffix: string): string => `names:${String.fromCodePoint(suffix.codePointAt(0) ?? 0)}`;

/**
 * The rows of a last name: one for each suffix, followed by the rest of the name before it. Any part of a name is a prefix of
 * one of its suffixes, so the names that contain a keyword are one range.
 */
export function lastNameRows(user: User): Row[] {
  if (!user.lastName) return [];
  const name = foldCase(user.lastName);
  const bucket = partitionOf(EXACT_FIELDS, filtersOf(user));
  const rows: Row[] = [];
  for (let at = 0; at < name.length; at += (name.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
    const suffix = name.slice(at);
    rows.push({ map: mapOf(suffix), key: suffix + SEPARATOR + name.slice(0, at), bucket, n: 1 });
  }
  return rows;
}

/** How many users have a keyword in their last name. */
export interface KeywordCounts {
  /** Of the users with some values. */
  total(values: EncodedFilters): number;
  /** By encoded value of a field, among the users with some values. */
  byValue(field: ExactField, values: EncodedFilters): Map<string, number>;
}

/** The same, with the case-folded last names that contain the keyword. */
export interface LastNames extends KeywordCounts {
  /** How many users with some values have each name. Names without such users are left out. */
  byName(values: EncodedFilters): Map<string, number>;
}

/** One count: how many users of a bucket have a name. */
interface Count {
  name: string;
  bucket: string;
  n: number;
}

/** The parts of buckets with some values; undefined for others. Each bucket is looked at once. */
function createFilter(values: EncodedFilters): (bucket: string) => string[] | undefined {
  const wanted = EXACT_FIELDS.map((field) => values[field]);
  const known = new Map<string, string[] | undefined>();
  return (bucket) => {
    if (!known.has(bucket)) {
      const parts = bucket.split(SEPARATOR);
      known.set(bucket, wanted.every((value, i) => value === undefined || value === parts[i]) ? parts : undefined);
    }
    return known.get(bucket);
  };
}

function summarize(counts: readonly Count[]): LastNames {
  function sumBy(values: EncodedFilters, keyOf: (count: Count, parts: string[]) => string): Map<string, number> {
    const partsOf = createFilter(values);
    const sums = new Map<string, number>();
    for (const count of counts) {
      const parts = partsOf(count.bucket);
      if (!parts) continue;
      const key = keyOf(count, parts);
      sums.set(key, (sums.get(key) ?? 0) + count.n);
    }
    for (const [key, n] of sums) if (n === 0) sums.delete(key);
    return sums;
  }
  return {
    total: (values) => sumBy(values, () => '').get('') ?? 0,
    byName: (values) => sumBy(values, ({ name }) => name),
    byValue: (field, values) => sumBy(values, (_, parts) => parts[EXACT_FIELDS.indexOf(field)] ?? ''),
  };
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
      // A name that contains the keyword twice counts only at its first occurrence.
      name = whole.indexOf(keyword) === key.length - end - 1 ? whole : undefined;
    }
    if (name !== undefined) counts.push({ name, bucket, n });
  });
  return summarize(counts);
}

/** A keyword up to this length is in so many names that it has counts of its own. */
const PIECE_LENGTH = 2;

const pieceMapOf = (piece: string): string => `pieces:${String.fromCodePoint(piece.codePointAt(0) ?? 0)}`;

/** One row for each piece of one or two characters of a last name: people search while they type. */
export function pieceRows(user: User): Row[] {
  if (!user.lastName) return [];
  const characters = Array.from(foldCase(user.lastName));
  const bucket = partitionOf(EXACT_FIELDS, filtersOf(user));
  const pieces = characters.flatMap((_, i) =>
    Array.from({ length: PIECE_LENGTH }, (_, more) => characters.slice(i, i + more + 1).join('')),
  );
  return [...new Set(pieces)].map((piece) => ({ map: pieceMapOf(piece), key: piece, bucket, n: 1 }));
}

export const isPiece = (keyword: string): boolean => Array.from(keyword).length <= PIECE_LENGTH;

/** How many users have a short keyword in their last name. Exact. The cost does not depend on the number of names. */
export async function countPiece(database: Database, journal: Journal, piece: string): Promise<KeywordCounts> {
  const counts: Count[] = [];
  const range = { map: pieceMapOf(piece), from: piece, to: `${piece}${SEPARATOR}\uFFFF`, rowsOf: pieceRows };
  await visitCounts(database, journal, range, (key, bucket, n) => {
    if (key === piece) counts.push({ name: '', bucket, n });
  });
  return summarize(counts);
}
