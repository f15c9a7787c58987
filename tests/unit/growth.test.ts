import { expect, test } from 'vitest';
import { growthOf } from '../long/soak/growth.ts';

const LIMIT = { factor: 1.5, slack: 2 };

test('growth compares the medians of the first and the last third of the samples after the warm-up', () => {
  const warmUp = [900, 900];
  const samples = [...warmUp, 10, 12, 700, 50, 50, 14, 0, 16];
  expect(growthOf(samples, LIMIT)).toEqual({ first: 11, last: 8, isTooMuch: false });
});

test('growth is too much above the factor times the first median plus the slack', () => {
  expect(growthOf([10, 10, 17], LIMIT)).toEqual({ first: 10, last: 17, isTooMuch: false });
  expect(growthOf([10, 10, 17.1], LIMIT)).toEqual({ first: 10, last: 17.1, isTooMuch: true });
});

test('growth needs at least one sample per third', () => {
  expect(() => growthOf([10, 10], LIMIT)).toThrow('2 samples are too few: let it run longer');
});
