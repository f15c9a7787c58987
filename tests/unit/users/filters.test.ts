import { expect, test } from 'vitest';
import { questionAfter, questionOf } from '../../../lib/users/asked.ts';
import { type FilterName, wordsOf } from '../../../lib/users/filters.ts';
import { firstIdAt } from '../../../lib/users/ids.ts';

/** 2026-11-01T00:00:00Z, and the first id of it. */
const MOMENT = 1_793_491_200_000;
const FIRST = 883_320_422_400_000;

const after = Number.POSITIVE_INFINITY;

test.each<[FilterName, value: number, from: number, to: number]>([
  ['createdAt.gte', MOMENT, FIRST, after],
  ['createdAt.gt', MOMENT, FIRST + 4_096, after],
  ['createdAt.lte', MOMENT, 0, FIRST + 4_096],
  ['createdAt.lt', MOMENT, 0, FIRST],
  ['createdAt.gte', MOMENT + 0.5, FIRST + 4_096, after],
  ['createdAt.gt', MOMENT + 0.5, FIRST + 4_096, after],
  ['createdAt.lte', MOMENT + 0.5, 0, FIRST + 4_096],
  ['createdAt.lt', MOMENT + 0.5, 0, FIRST + 4_096],
  ['createdAt.lt', Date.UTC(1066, 0), 0, 0],
  ['createdAt.gte', Date.UTC(9999, 0), Number.MAX_SAFE_INTEGER, after],
])('a bound of a moment such as %s=%d is a range of ids, from %d to %d', (name, value, from, to) => {
  expect(firstIdAt(MOMENT)).toBe(FIRST);
  expect(questionOf({ [name]: value })).toEqual({ where: [], from, to });
});

test('a text has the words between its blanks, and accents alone are one, which few have', () => {
  expect(wordsOf(' ann \u0301\u3000ann b ')).toEqual(['ann', '\u0301', 'b']);
  expect(wordsOf(' ')).toEqual([]);
});

test('bounds of a moment narrow each other, and a cursor narrows them', () => {
  const filters = { 'createdAt.gte': MOMENT, 'createdAt.gt': 0, 'createdAt.lt': MOMENT + 1 };
  expect(questionAfter(filters, 7)).toEqual({ where: [], from: FIRST, to: FIRST + 4_096 });
  expect(questionAfter(filters, FIRST)).toEqual({ where: [], from: FIRST + 1, to: FIRST + 4_096 });
});
