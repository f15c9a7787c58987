import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { agoOf, awayOf, dateOf, laterOf } from '../../../admin/browser/data/time.ts';

const NOW = Date.UTC(2026, 10, 28, 12);

beforeAll(() => {
  vi.useFakeTimers({ now: NOW });
});

afterAll(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const before = (ms: number): string => new Date(NOW - ms).toISOString();

test('a moment is as long ago as it was up to a day, then a date', () => {
  expect([0, MINUTE - 1, MINUTE, 3 * HOUR, DAY - 1].map((ms) => agoOf(before(ms)))).toEqual([
    'just now',
    'just now',
    '1 min. ago',
    '3 hr. ago',
    '23 hr. ago',
  ]);
  expect(agoOf(before(DAY))).toBe(dateOf(NOW - DAY));
});

test('a value that is a moment is told as a time away from now, also to come', () => {
  expect([5 * MINUTE, 3 * HOUR, 77 * DAY + HOUR, -64 * DAY, -5 * HOUR].map((ms) => awayOf(before(ms)))).toEqual([
    '5 min. ago',
    '3 hr. ago',
    '77 days ago',
    'in 64 days',
    'in 5 hr.',
  ]);
});

test('a later act is told as the time after the first one', () => {
  expect([1, 2 * MINUTE, HOUR + MINUTE, 3 * DAY].map(laterOf)).toEqual([
    'within a minute',
    '2 minutes later',
    '1 hour later',
    '3 days later',
  ]);
});
