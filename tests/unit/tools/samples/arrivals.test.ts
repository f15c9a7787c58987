import { expect, test } from 'vitest';
import { arrivalsUntil } from '../../../../tools/samples/arrivals.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A Sunday. */
const NOW = Date.parse('2026-11-29T09:30:00Z');
const USERS = 50_000;

const momentOf = arrivalsUntil(NOW);
const moments = Array.from({ length: USERS }, (_, n) => momentOf(n / USERS));
const perDay = Map.groupBy(moments, (moment) => Math.floor(moment / DAY_MS));
const on = (date: string): number => perDay.get(Math.floor(Date.parse(date) / DAY_MS))?.length ?? 0;

test('users come in their order, within the last two years, and none later', () => {
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(new Date(moments[0] ?? 0).toISOString()).toMatch(/^2024-11-30T00:00/);
  expect(momentOf(1)).toBe(NOW);
  expect(moments.at(-1)).toBeLessThanOrEqual(NOW);
});

test('fewer come at weekends, more each month, and on no two days alike', () => {
  const week = ['16', '17', '18', '19', '20', '21', '22'].map((day) => on(`2026-11-${day}`));
  expect(new Set(week).size).toBe(7);
  expect(Math.max(...week.slice(5))).toBeLessThan(Math.min(...week.slice(0, 5)));
  expect(perDay.size).toBe(730);
  const half = moments.filter((moment) => moment < NOW - 365 * DAY_MS).length;
  expect(half / USERS).toBeGreaterThan(0.3);
  expect(half / USERS).toBeLessThan(0.42);
});
