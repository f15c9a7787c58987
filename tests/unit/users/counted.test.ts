import { describe, expect, test } from 'vitest';
import { byOf, type CountedBy, isCounted } from '../../../lib/users/counted.ts';
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

/** The days, weeks, months and years that a text is counted by. */
const datesOf = (text: string): (string | undefined)[] =>
  (['day', 'week', 'month', 'year'] as const).map((period) => {
    const by = byOf(`attributes.end.${period}`);
    if (by.spanOf || !by.reading) return 'not read';
    // Among others, as texts are in columns.
    const bytes = Buffer.from(`2000-01-01 ${text}Z`);
    const day = by.reading.numberIn(bytes, 11, bytes.length - 1);
    return day === undefined ? undefined : by.reading.nameOf(day);
  });

describe('a text', () => {
  test.each([
    ['2026-11-28', '2026-11-28 2026-W48 2026-11 2026'],
    ['2026-11-28T23:59:59.999Z', '2026-11-28 2026-W48 2026-11 2026'],
    ['2026-11-28t23:59:59z', '2026-11-28 2026-W48 2026-11 2026'],
    ['2027-01-01', '2027-01-01 2026-W53 2027-01 2027'],
    ['2024-02-29', '2024-02-29 2024-W09 2024-02 2024'],
    ['2000-02-29', '2000-02-29 2000-W09 2000-02 2000'],
    ['1969-12-31', '1969-12-31 1970-W01 1969-12 1969'],
    ['0099-12-31', '0099-12-31 0099-W53 0099-12 0099'],
    ['9999-12-31', '9999-12-31 9999-W52 9999-12 9999'],
    // A time elsewhere is on a day in UTC.
    ['2026-11-28T00:59:59+01:00', '2026-11-27 2026-W48 2026-11 2026'],
    ['2026-11-28T01:00:00+01:00', '2026-11-28 2026-W48 2026-11 2026'],
    ['2026-12-31 23:00:00.5-01:00', '2027-01-01 2026-W53 2027-01 2027'],
    ['2026-12-31T22:59:60-01:00', '2026-12-31 2026-W53 2026-12 2026'],
    ['2028-02-28T00:00:00-23:59', '2028-02-28 2028-W09 2028-02 2028'],
    ['2028-02-28T23:00:00-23:59', '2028-02-29 2028-W09 2028-02 2028'],
    // Other text behind a date does not count.
    ['2026-11-28, perhaps', '2026-11-28 2026-W48 2026-11 2026'],
    ['2026-11-28T00:30', '2026-11-28 2026-W48 2026-11 2026'],
    ['2026-11-28T25:00:00+02:00', '2026-11-28 2026-W48 2026-11 2026'],
  ])('that is %s is counted by %s', (text, dates) => {
    expect(datesOf(text).join(' ')).toBe(dates);
  });

  test.each([
    ...['', '2026', '2026-11', '2026-11-2', '20261128', '2026/11/28', '28.11.2026', ' 2026-11-28', '2026-11-2x'],
    ...['2026-02-29', '2026-02-30', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-11-00', '٢٠٢٦-١١-٢٨'],
    '0000-01-01T00:00:00+00:01',
  ])('that is %j is counted as none', (text) => {
    expect(datesOf(text)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('at the ends of the years with four digits is counted by what is in them', () => {
    expect(datesOf('0000-01-01')).toEqual(['0000-01-01', undefined, '0000-01', '0000']);
    expect(datesOf('9999-12-31T23:59:00-00:01')).toEqual([undefined, '9999-W52', undefined, undefined]);
  });
});

test.each([
  ['attributes.end.day', true],
  ['attributes.day', true],
  ['attributes.day.year', true],
  ['attributes.end.hour', false],
  ['attributes.end.day.day', false],
  ['attributes.end.constructor', false],
  ['attributes.9.day', false],
  ['name.day', false],
])('users are counted by %s: %s', (name, is) => {
  expect(isCounted(name)).toBe(is);
});
