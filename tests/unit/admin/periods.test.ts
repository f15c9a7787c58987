import { expect, test } from 'vitest';
import { periodsUntil, stepOf } from '../../../admin/browser/overview/periods.ts';

/** A Saturday. */
const NOW = Date.UTC(2026, 10, 28, 23, 59, 59, 999);

test('days, weeks and months end with the present one', () => {
  expect(periodsUntil('day', 2, NOW)).toEqual([
    { key: '2026-11-27', from: '2026-11-27', to: '2026-11-28' },
    { key: '2026-11-28', from: '2026-11-28', to: '2026-11-29' },
  ]);
  expect(periodsUntil('week', 2, NOW)).toEqual([
    { key: '2026-W47', from: '2026-11-16', to: '2026-11-23' },
    { key: '2026-W48', from: '2026-11-23', to: '2026-11-30' },
  ]);
  expect(periodsUntil('month', 2, NOW)).toEqual([
    { key: '2026-10', from: '2026-10-01', to: '2026-11-01' },
    { key: '2026-11', from: '2026-11-01', to: '2026-12-01' },
  ]);
});

test('a week is of the year of its Thursday, as ISO 8601 has it', () => {
  const keyOf = (...day: [year: number, month: number, day: number]) =>
    periodsUntil('week', 1, Date.UTC(...day))[0]?.key;
  expect(keyOf(2027, 0, 1)).toBe('2026-W53');
  expect(keyOf(2027, 0, 4)).toBe('2027-W01');
  expect(keyOf(2024, 11, 30)).toBe('2025-W01');
  expect(keyOf(2021, 0, 3)).toBe('2020-W53');
});

test('a month follows the one before it, from any day and over a year', () => {
  expect(periodsUntil('month', 3, Date.UTC(2026, 0, 31)).map(({ from }) => from)).toEqual([
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
  ]);
});

test.each([
  [0, 1],
  [1, 1],
  [7, 2],
  [30, 10],
  [251, 100],
  [701, 500],
  [48_216, 20_000],
])('a chart of at most %i has lines at each %i', (most, step) => {
  expect(stepOf(most)).toBe(step);
});
