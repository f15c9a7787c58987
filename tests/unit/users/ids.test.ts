import { describe, expect, test } from 'vitest';
import { canBeGivenBy, createdAt, createIdSource, firstIdAt } from '../../../lib/users/ids.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');

describe('createIdSource', () => {
  test('puts the milliseconds since 2020 above twelve random bits', () => {
    const next = createIdSource({ now: () => Date.parse('2020-01-01T00:00:01.000Z'), random: () => 0.5 });
    expect(next()).toBe(1_000 * 4_096 + 2_048);
  });

  test('gives rising ids when the clock stands still or is set back', () => {
    const times = [NOON, NOON, NOON, NOON - 5_000, NOON - 5_000, NOON + 1];
    const next = createIdSource({ now: () => times.shift() ?? NOON, random: () => 0.999 });
    const ids = Array.from({ length: 6 }, next);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).toBe(6);
  });

  test('gives ids that can be given by its time, also those of one millisecond that run into the next one', () => {
    const next = createIdSource({ now: () => NOON, random: () => 0.999 });
    const ids = Array.from({ length: 100 }, next);
    expect(ids.at(-1)).toBeGreaterThan(firstIdAt(NOON + 1));
    expect(ids.filter((id) => !canBeGivenBy(id, NOON))).toEqual([]);
    expect([firstIdAt(NOON + 2) - 1, firstIdAt(NOON + 2), 0].map((id) => canBeGivenBy(id, NOON))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('gives ids that every JSON client reads exactly until 2089', () => {
    const next = createIdSource({ now: () => Date.parse('2089-09-06T15:47:35.551Z'), random: () => 0.9999999 });
    expect(next()).toBe(Number.MAX_SAFE_INTEGER);
  });
});

test('createdAt is the millisecond in which an id was drawn, and is shared by 4,096 ids', () => {
  expect(firstIdAt(Date.parse('2020-01-01T00:00:01.000Z'))).toBe(4_096_000);
  expect([4_095_999, 4_096_000, 4_100_095, 4_100_096].map(createdAt)).toEqual([
    '2020-01-01T00:00:00.999Z',
    '2020-01-01T00:00:01.000Z',
    '2020-01-01T00:00:01.000Z',
    '2020-01-01T00:00:01.001Z',
  ]);
});
