/**
 * How many users have a letter in their last name: people search while they type, and a letter is in so many names that they are
 * not read. One map for all users, and one for each exact field. There the letters of the users with a value are neighbours, so that
 * a batch of the fold changes few nodes.
 */
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { encodeOptional, SEPARATOR } from '../keys.ts';
import { foldCase } from '../text.ts';
import { WHOLE_MAP } from '../tree/nodes.ts';
import { readFewRows, readRowsAt } from '../tree/read.ts';
import type { Delta } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import type { KeywordCounts } from './names.ts';
import { overlayOf } from './overlay.ts';
import type { Wanted } from './segments.ts';
import type { ValueTotal } from './totals.ts';
import { USERS, usersIn } from './users.ts';

/** Undefined stands for all users. */
type Field = ExactField | undefined;

const FIELDS: readonly Field[] = [undefined, ...EXACT_FIELDS];

const mapOf = (field: Field): TreeMap => ({ name: field ? `letters:${field}` : 'letters' });

export const LETTER_MAPS = FIELDS.map(mapOf);

/** The letters of more values than these nodes have are not read. */
const MOST_NODES = 400;

export const isLetter = (keyword: string): boolean => Array.from(keyword).length === 1;

const lettersOf = ({ lastName = '' }: User): string[] => [...new Set(Array.from(foldCase(lastName)))];

const keyOf = (letter: string, value: string | undefined): string =>
  value === undefined ? letter : value + SEPARATOR + letter;

const deltasOf =
  (field: Field) =>
  (user: User, n: number): Delta[] => {
    const value = field && encodeOptional(user[field]);
    return lettersOf(user).map((letter) => ({ key: keyOf(letter, value), bucket: USERS, n }));
  };

/** What a user adds to the letters. */
export const letterDeltas = (user: User, sign: 1 | -1): { map: TreeMap; deltas: Delta[] }[] =>
  FIELDS.map((field) => ({ map: mapOf(field), deltas: deltasOf(field)(user, sign) }));

/** Exact, but users with wanted values of several fields are not counted. The cost does not depend on the number of names. */
export function countLetter(tree: Tree, journal: Journal, letter: string): KeywordCounts {
  const overlayFor = (field: Field) => overlayOf(journal, deltasOf(field));

  async function usersWith(field: Field, values: readonly (string | undefined)[]): Promise<number[]> {
    const keys = values.map((value) => keyOf(letter, value));
    return (await readRowsAt(tree, mapOf(field), keys, overlayFor(field))).map(usersIn);
  }

  async function allValues(field: ExactField): Promise<ValueTotal[] | undefined> {
    const rows = await readFewRows(tree, mapOf(field), WHOLE_MAP, overlayFor(field), MOST_NODES);
    const end = SEPARATOR + letter;
    return rows
      ?.filter(({ key }) => key.endsWith(end))
      .map((row) => ({ value: row.key.slice(0, -end.length), total: usersIn(row) }));
  }

  return {
    async total(wanted: Wanted) {
      const [field, ...others] = EXACT_FIELDS.filter((each) => wanted[each]);
      if (others.length > 0) return undefined;
      const totals = await usersWith(field, field ? (wanted[field] ?? []) : [undefined]);
      return totals.reduce((sum, total) => sum + total, 0);
    },
    async byValue(field, wanted) {
      if (EXACT_FIELDS.some((other) => other !== field && wanted[other])) return undefined;
      const values = wanted[field];
      if (!values) return allValues(field);
      const totals = await usersWith(field, values);
      return values.map((value, i) => ({ value, total: totals[i] ?? 0 }));
    },
  };
}
