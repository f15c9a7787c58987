import { expect, test } from 'vitest';
import { byOf, type CountedBy } from '../../../lib/users/counted.ts';
import { firstIdAt } from '../../../lib/users/ids.ts';

/** The span of a moment: its name, and its first and last millisecond. */
function spanAt(name: CountedBy, moment: string): string {
  const by = byOf(name);
  if (by.spanOf === undefined || by.field !== undefined) return '';
  const time = Date.parse(moment);
  const { value, from, to } = by.spanOf(firstIdAt(time) + 4_095);
  const momentAt = (id: number) => new Date(time + (id - firstIdAt(time)) / 4_096).toISOString();
  return `${value} ${momentAt(from)} ${momentAt(to - 4_096)}`;
}

test.each<[CountedBy, string, string]>([
  ['createdAt.day', '2026-11-26T23:59:59.999Z', '2026-11-26 2026-11-26T00:00:00.000Z 2026-11-26T23:59:59.999Z'],
  ['createdAt.week', '2026-11-26', '2026-W48 2026-11-23T00:00:00.000Z 2026-11-29T23:59:59.999Z'],
  ['createdAt.week', '2024-12-30', '2025-W01 2024-12-30T00:00:00.000Z 2025-01-05T23:59:59.999Z'],
  ['createdAt.week', '2027-01-03T23:59:59.999Z', '2026-W53 2026-12-28T00:00:00.000Z 2027-01-03T23:59:59.999Z'],
  ['createdAt.week', '2020-01-01', '2020-W01 2019-12-30T00:00:00.000Z 2020-01-05T23:59:59.999Z'],
  ['createdAt.month', '2028-02-29', '2028-02 2028-02-01T00:00:00.000Z 2028-02-29T23:59:59.999Z'],
  ['createdAt.year', '2028-12-31', '2028 2028-01-01T00:00:00.000Z 2028-12-31T23:59:59.999Z'],
])('%s of %s is %s', (name, moment, expected) => {
  expect(spanAt(name, moment)).toBe(expected);
});
