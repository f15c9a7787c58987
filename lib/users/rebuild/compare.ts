import { EXACT_FIELDS, FIELDS } from '../fields.ts';
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
function withoutValues({ key, counts }: Row): Row {
  const isValue = (bucket: string) =>
    EXACT_FIELDS.some((field) => bucket.startsWith(`${FIELDS[field].short}=`) || bucket === `${FIELDS[field].short}+`);
  return { key, counts: new Map([...counts].filter(([bucket]) => !isValue(bucket))) };
}

/** Whether a row of segments says what is expected, whatever values it lists. */
export function saysTheSame(stored: Row, expected: ReadonlyMap<string, number>): boolean {
  if (!isEqual([withoutValues(stored)], [withoutValues({ key: stored.key, counts: new Map(expected) })])) return false;
  return EXACT_FIELDS.every((field) => {
    const isOne = ([bucket]: [string, number]) => bucket.startsWith(`${FIELDS[field].short}=`);
    const listed = [...stored.counts].filter(isOne);
    const all = [...expected].filter(isOne).reduce((sum, [, n]) => sum + n, 0);
    const sum = listed.reduce((total, [, n]) => total + n, 0);
    return (
      listed.every(([bucket, n]) => expected.get(bucket) === n) &&
      sum + (stored.counts.get(`${FIELDS[field].short}+`) ?? 0) === all
    );
  });
}
