import { expect, test } from 'vitest';
import { meetsAll } from '../../../lib/columns/index.ts';
import { questionAfter, questionOf } from '../../../lib/users/asked.ts';
import { COLUMNS } from '../../../lib/users/columns.ts';
import { type FilterName, PARTS, wordsOf } from '../../../lib/users/filters.ts';
import { firstIdAt } from '../../../lib/users/ids.ts';
import { MODEL_PARTS, modelFilter } from '../../support/model.ts';

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

/** All texts of one to three characters: letters, and characters that have a meaning in the patterns of other products. */
const CHARACTERS = ['a', 'B', '%', '_', '*'];
const PAIRS = CHARACTERS.flatMap((first) => ['', ...CHARACTERS].map((second) => first + second));
const SHORT = [...new Set(PAIRS.flatMap((pair) => ['', ...CHARACTERS].map((last) => pair + last)))];

test.each(Object.keys(PARTS).filter((ending) => Object.hasOwn(MODEL_PARTS, ending)))(
  'the ending .%s means what the model says, of all short texts and parts',
  (ending) => {
    expect(SHORT).toHaveLength(155);
    const name = `name.${ending}` as FilterName;
    const users = SHORT.map((text, id) => ({ id, name: text, createdAt: '2026-11-01T00:00:00.000Z' }));
    for (const part of SHORT) {
      const question = questionOf({ [name]: [part] });
      const found = users.filter((user) => meetsAll(COLUMNS, { id: user.id, name: user.name }, question));
      expect(found, part).toEqual(modelFilter(users, { [name]: [part] }));
    }
  },
);
