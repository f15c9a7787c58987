/**
 * How many users have a letter in their last name: people search while they type, and a letter is in so many names that they are
 * not read. A map for each exact field. A key is the letter and a value of the field.
 */
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { AFTER_SEPARATOR, encodeOptional, SEPARATOR } from '../keys.ts';
import { foldCase } from '../text.ts';
import { NODES_PER_UNIT } from '../tree/nodes.ts';
import { readRows } from '../tree/read.ts';
import type { Delta } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { type KeywordCounts, USERS } from './names.ts';
import { overlayOf } from './overlay.ts';
import type { Wanted } from './segments.ts';
import type { ValueTotal } from './totals.ts';

const mapOf = (field: ExactField): TreeMap => ({ name: `letters:${field}` });

export const LETTER_MAPS = EXACT_FIELDS.map(mapOf);

export const isLetter = (keyword: string): boolean => Array.from(keyword).length === 1;

const lettersOf = ({ lastName = '' }: User): string[] => [...new Set(Array.from(foldCase(lastName)))];

const deltasOf =
  (field: ExactField) =>
  (user: User, n: number): Delta[] =>
    lettersOf(user).map((letter) => ({ key: letter + SEPARATOR + encodeOptional(user[field]), bucket: USERS, n }));

/** What a user adds to the letters. */
export const letterDeltas = (user: User, sign: 1 | -1): { map: TreeMap; deltas: Delta[] }[] =>
  EXACT_FIELDS.map((field) => ({ map: mapOf(field), deltas: deltasOf(field)(user, sign) }));

/** The values of a field among the users with a letter. */
async function readValues(tree: Tree, journal: Journal, field: ExactField, letter: string): Promise<ValueTotal[]> {
  const prefix = letter + SEPARATOR;
  const stretch = { from: prefix, to: letter + AFTER_SEPARATOR, nodes: NODES_PER_UNIT };
  const rows = await readRows(tree, mapOf(field), stretch, overlayOf(journal, deltasOf(field)));
  return rows.map(({ key, counts }) => ({ value: key.slice(prefix.length), total: counts.get(USERS) ?? 0 }));
}

/** Exact, but users with wanted values of several fields are not counted. The cost does not depend on the number of names. */
export async function countLetter(tree: Tree, journal: Journal, letter: string): Promise<KeywordCounts> {
  const found = await Promise.all(EXACT_FIELDS.map((field) => readValues(tree, journal, field, letter)));
  function byValue(field: ExactField, wanted: Wanted): ValueTotal[] | undefined {
    if (EXACT_FIELDS.some((other) => other !== field && wanted[other])) return undefined;
    return found[EXACT_FIELDS.indexOf(field)]?.filter(({ value }) => wanted[field]?.includes(value) ?? true);
  }
  return {
    byValue,
    total: (wanted) =>
      byValue(EXACT_FIELDS.find((field) => wanted[field]) ?? 'status', wanted)?.reduce(
        (sum, { total }) => sum + total,
        0,
      ),
  };
}
