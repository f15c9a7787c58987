/**
 * Which last names there are, and how many users of each status and country have them. `names` has rows for each suffix of a name:
 * any part of a name is the beginning of one of its suffixes, so the names that contain a keyword are one range.
 *
 * A key is the suffix, the rest of the name before it, and then the values of the exact fields. It has one number. Behind a long name
 * a hash stands for the values, which are the bucket: nodes begin at keys, and DynamoDB takes no longer ones.
 */
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import { hash48 } from '../hash.ts';
import type { Journal } from '../journal/journal.ts';
import { filtersOf, partitionOf, prefixEnd, SEPARATOR } from '../keys.ts';
import { foldCase } from '../text.ts';
import { readRows } from '../tree/read.ts';
import { type Delta, isBound } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { overlayOf } from './overlay.ts';
import type { Wanted } from './segments.ts';
import type { ValueTotal } from './totals.ts';
import { USERS } from './users.ts';

/** One map for each first character. */
const mapOf = (key: string): TreeMap => ({ name: `names:${String.fromCodePoint(key.codePointAt(0) ?? 0)}` });

function deltaOf(name: string, values: string, n: number): Delta {
  const key = name + SEPARATOR + values;
  return isBound(key)
    ? { key, bucket: USERS, n }
    : { key: name + SEPARATOR + hash48(values).toString(36), bucket: values, n };
}

/** What a user adds to the names: one number for each suffix of its last name. */
function deltasOf(user: User, n: number): Delta[] {
  const name = foldCase(user.lastName ?? '');
  const values = partitionOf(EXACT_FIELDS, filtersOf(user));
  let at = 0;
  return Array.from(name, (character) => {
    const delta = deltaOf(name.slice(at) + SEPARATOR + name.slice(0, at), values, n);
    at += character.length;
    return delta;
  });
}

/** What a user adds to the maps of names. */
export const nameDeltas = (user: User, sign: 1 | -1): { map: TreeMap; deltas: Delta[] }[] =>
  deltasOf(user, sign).map((delta) => ({ map: mapOf(delta.key), deltas: [delta] }));

/** About how many bytes the suffixes of a user's last name have. */
export function weightOfName({ lastName = '' }: User): number {
  const name = foldCase(lastName);
  return Array.from(name).length * Buffer.byteLength(name);
}

/** How many users with wanted values have a keyword in their last name. Undefined: that is not counted. */
export interface KeywordCounts {
  total(wanted: Wanted): Promise<number | undefined>;
  byValue(field: ExactField, wanted: Wanted): Promise<ValueTotal[] | undefined>;
}

/** Keyword counts, with the case-folded last names that contain the keyword. */
export interface NameCounts extends KeywordCounts {
  total(wanted: Wanted): Promise<number>;
  /** How many users have each name. Names without such users are left out. */
  byName(wanted: Wanted): Map<string, number>;
}

/** The users of a name with the same values of the exact fields. */
interface Namesakes {
  name: string;
  values: readonly string[];
  users: number;
}

function countsOf(all: readonly Namesakes[]): NameCounts {
  function sumBy(wanted: Wanted, textOf: (some: Namesakes) => string): Map<string, number> {
    const sets = EXACT_FIELDS.map((field) => wanted[field]);
    const sums = new Map<string, number>();
    for (const some of all) {
      if (sets.some((set, i) => set && !set.includes(some.values[i] ?? ''))) continue;
      const text = textOf(some);
      sums.set(text, (sums.get(text) ?? 0) + some.users);
    }
    return sums;
  }
  return {
    total: async (wanted) => sumBy(wanted, () => '').get('') ?? 0,
    byName: (wanted) => sumBy(wanted, ({ name }) => name),
    async byValue(field, wanted) {
      const sums = sumBy(wanted, ({ values }) => values[EXACT_FIELDS.indexOf(field)] ?? '');
      return Array.from(sums, ([value, total]) => ({ value, total }));
    },
  };
}

/** Exact. Reads the suffixes that begin with the keyword, which must be folded. */
export async function readNames(tree: Tree, journal: Journal, keyword: string): Promise<NameCounts> {
  const stretch = { from: keyword, to: prefixEnd(keyword) };
  const rows = await readRows(tree, mapOf(keyword), stretch, overlayOf(journal, deltasOf));
  return countsOf(
    rows.flatMap(({ key, counts }) => {
      const [suffix = '', before = '', ...values] = key.split(SEPARATOR);
      const name = before + suffix;
      // A name that contains the keyword twice counts only at its first occurrence.
      if (name.indexOf(keyword) !== before.length) return [];
      return Array.from(counts, ([bucket, users]) => ({
        ...{ name, users },
        values: bucket === USERS ? values : bucket.split(SEPARATOR),
      }));
    }),
  );
}
