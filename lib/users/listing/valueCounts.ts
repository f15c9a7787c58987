/** How many users have each value of a field, or of several: from totals alone. */
import type { ValuesTotal } from '../counts/totals.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import { compareCodePoints } from '../text.ts';
import { choicesOf } from './candidates.ts';
import { type Criteria, entriesOf } from './criteria.ts';
import type { View } from './view.ts';

/** As many as a client can show. What has fewer users is counted together. */
export const MAX_COUNTS = 1_000;

export interface ValueCounts {
  total: number;
  /** Encoded values with users, those with the most users first. */
  counts: ValuesTotal[];
  /** How many users have other values. */
  others: number;
}

/** The totals of each choice of values that are asked for, by the fields that are counted by and have no such value. */
async function totalsOf(view: View, { wanted }: Criteria, by: readonly ExactField[]): Promise<ValuesTotal[]> {
  const given = entriesOf(wanted).map(([field]) => field);
  const free = EXACT_FIELDS.filter((field) => by.includes(field) && !given.includes(field));
  const totals = await Promise.all(
    (choicesOf(wanted, given) ?? []).map(async (choice) =>
      free.length > 0 ? view.combinations(free, choice) : [{ values: choice, total: await view.total(choice) }],
    ),
  );
  return totals.flat();
}

/**
 * Counts users by their values of some fields, or all together. Read units: one for some hundred values.
 *
 * @throws {ServiceError} 400 when there are so many values that they cost more than the stage's budget
 */
export async function countByValue(view: View, criteria: Criteria, by: readonly ExactField[]): Promise<ValueCounts> {
  const totals = await totalsOf(view, criteria, by);
  const sums = new Map<string, ValuesTotal>();
  for (const { values, total } of totals) {
    const own = Object.fromEntries(by.map((field) => [field, values[field]]));
    const name = JSON.stringify(Object.values(own));
    sums.set(name, { values: own, total: total + (sums.get(name)?.total ?? 0) });
  }
  const sorted = [...sums]
    .filter(([, { total }]) => total > 0)
    .sort(([a, { total }], [b, { total: other }]) => other - total || compareCodePoints(a, b))
    .map(([, count]) => count);
  const sumOf = (some: readonly ValuesTotal[]) => some.reduce((sum, { total }) => sum + total, 0);
  const counts = by.length > 0 ? sorted.slice(0, MAX_COUNTS) : [];
  return { total: sumOf(totals), counts, others: by.length > 0 ? sumOf(sorted.slice(MAX_COUNTS)) : 0 };
}
