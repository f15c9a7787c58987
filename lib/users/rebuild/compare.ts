import { fieldOf, othersOf } from '../counts/segments.ts';
import { EXACT_FIELDS } from '../fields.ts';
import { compareCodePoints } from '../text.ts';
import type { Row } from '../tree/rows.ts';

const textOf = (rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map(({ key, counts }) => [
      key,
      [...counts].filter(([, n]) => n !== 0).sort(([a], [b]) => compareCodePoints(a, b)),
    ]),
  );

/** Whether two maps count the same. */
export const isEqual = (a: readonly Row[], b: readonly Row[]): boolean => textOf(a) === textOf(b);

/** A row lists only some values. Which ones depends on who came first. */
function withoutValues(counts: ReadonlyMap<string, number>): Row {
  const others = EXACT_FIELDS.map(othersOf);
  const kept = [...counts].filter(([bucket]) => !fieldOf(bucket) && !others.includes(bucket));
  return { key: '', counts: new Map(kept) };
}

const sumOf = (counts: readonly [string, number][]): number => counts.reduce((sum, [, n]) => sum + n, 0);

/** Whether a row of segments says what is expected, whatever values it lists. */
export function saysTheSame({ counts }: Row, expected: ReadonlyMap<string, number>): boolean {
  if (!isEqual([withoutValues(counts)], [withoutValues(expected)])) return false;
  return EXACT_FIELDS.every((field) => {
    const isOne = ([bucket]: [string, number]) => fieldOf(bucket) === field;
    const listed = [...counts].filter(isOne);
    const all = sumOf([...expected].filter(isOne));
    return (
      listed.every(([bucket, n]) => expected.get(bucket) === n) &&
      sumOf(listed) + (counts.get(othersOf(field)) ?? 0) === all
    );
  });
}
