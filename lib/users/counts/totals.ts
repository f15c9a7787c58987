/**
 * How many users have a value of an exact field, and of several. One map for each field within any of the others, so another exact
 * field doubles them: values stand in the order of a sort by the field, and values that differ only in case are neighbours.
 */
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { type EncodedFilters, exactText, filtersOf, prefixEnd, SEPARATOR, valueOfText } from '../keys.ts';
import { NODES_PER_UNIT } from '../tree/nodes.ts';
import { readFewRows, readRows, readRowsAt } from '../tree/read.ts';
import type { Delta, Row } from '../tree/rows.ts';
import { FIRST_BOUND, type Tree } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { overlayOf } from './overlay.ts';
import { USERS, usersIn } from './users.ts';

/** A map of a field's values, for the users with some values of other fields. */
interface Totals {
  field: ExactField;
  within: readonly ExactField[];
}

const others = (field: ExactField): ExactField[] => EXACT_FIELDS.filter((other) => other !== field);

/** Each choice of some fields, in their order. */
const choicesOf = (fields: readonly ExactField[]): ExactField[][] =>
  fields.reduce<ExactField[][]>((choices, field) => choices.concat(choices.map((some) => [...some, field])), [[]]);

const TOTALS: readonly Totals[] = EXACT_FIELDS.flatMap((field) =>
  choicesOf(others(field)).map((within) => ({ field, within })),
);

const mapOf = ({ field, within }: Totals) => ({ name: `totals:${[...within, field].join(',')}` });

export const TOTALS_MAPS = TOTALS.map(mapOf);

const prefixOf = ({ within }: Totals, values: EncodedFilters): string =>
  within.map((field) => `${values[field]}${SEPARATOR}`).join('');

const keyOf = (totals: Totals, values: EncodedFilters): string =>
  prefixOf(totals, values) + exactText(values[totals.field] ?? '');

const deltasOf =
  (totals: Totals) =>
  (user: User, n: number): Delta[] => [{ key: keyOf(totals, filtersOf(user)), bucket: USERS, n }];

/** What a user adds to the totals. */
export const totalsDeltas = (user: User, sign: 1 | -1) =>
  TOTALS.map((totals) => ({ map: mapOf(totals), deltas: deltasOf(totals)(user, sign) }));

/** How many users have some values, for each of several questions. Exact. A read unit for each, and less where values are neighbours. */
export async function readTotals(tree: Tree, journal: Journal, asked: readonly EncodedFilters[]): Promise<number[]> {
  const found = asked.map(() => journal.total);
  const questions = asked.flatMap((values, at) => {
    const [field, ...within] = EXACT_FIELDS.filter((name) => values[name] !== undefined);
    return field === undefined ? [] : [{ at, totals: { field, within }, values }];
  });
  const byMap = Map.groupBy(questions, ({ totals }) => mapOf(totals).name);
  await Promise.all(
    [...byMap.values()].map(async (some) => {
      const { totals } = some[0] as (typeof some)[0];
      const keys = some.map(({ values }) => keyOf(totals, values));
      const rows = await readRowsAt(tree, mapOf(totals), keys, overlayOf(journal, deltasOf(totals)));
      for (const [i, { at }] of some.entries()) found[at] = usersIn(rows[i]);
    }),
  );
  return found;
}

/**
 * How many users have a value of a field that stands before a text, among all users or users with a value of another field. Undefined
 * if these values are too many for one read unit: a stage may have thousands.
 */
export async function countBefore(
  tree: Tree,
  journal: Journal,
  field: ExactField,
  values: EncodedFilters,
  text: string,
) {
  const totals = { field, within: others(field).filter((name) => values[name] !== undefined) };
  const prefix = prefixOf(totals, values);
  const stretch = { from: prefix || FIRST_BOUND, to: prefix + text };
  const rows = await readFewRows(tree, mapOf(totals), stretch, overlayOf(journal, deltasOf(totals)), NODES_PER_UNIT);
  return rows?.reduce((sum, row) => sum + usersIn(row), 0);
}

/** A value of a field, encoded, and how many users have it. */
export interface ValueTotal {
  value: string;
  total: number;
}

/** Values of several fields, encoded, and how many users have all of them. */
export interface ValuesTotal {
  values: EncodedFilters;
  total: number;
}

/** The values in a key: the last one is an exact text. */
const restored = ({ field, within }: Totals, { key, counts }: Row): ValuesTotal => {
  const texts = key.split(SEPARATOR);
  const values = Object.fromEntries(within.map((other, i) => [other, texts[i]]));
  return { values: { ...values, [field]: valueOfText(key) }, total: counts.get(USERS) ?? 0 };
};

/**
 * The combinations of values of some fields, among the users with some values of others, in the order of the last field. Of several
 * fields, the given values must be of fields that come before them.
 */
export async function readCombinations(
  tree: Tree,
  journal: Journal,
  fields: readonly ExactField[],
  values: EncodedFilters,
): Promise<ValuesTotal[]> {
  const field = fields.at(-1) as ExactField;
  const given = others(field).filter((name) => values[name] !== undefined);
  const totals = { field, within: others(field).filter((name) => given.includes(name) || fields.includes(name)) };
  const prefix = prefixOf({ field, within: given }, values);
  const stretch = { from: prefix || FIRST_BOUND, to: prefixEnd(prefix), nodes: NODES_PER_UNIT };
  const rows = await readRows(tree, mapOf(totals), stretch, overlayOf(journal, deltasOf(totals)));
  return rows.map((row) => restored(totals, row));
}
