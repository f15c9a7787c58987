import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../../lib/http/parameters/moments.ts';

const NINE_THIRTY = Date.UTC(2026, 10, 1, 9, 30);
const NOW = Date.UTC(2028, 2, 31, 12, 0, 0, 7);
const DAY = 86_400_000;

describe('a moment', () => {
  test.each<[text: string, moment: number]>([
    ['2026-11-01t09:30:00z', NINE_THIRTY],
    ['2026-11-01T09:30:00.07Z', NINE_THIRTY + 70],
    ['2026-11-01T09:30:00.5790Z', NINE_THIRTY + 579],
    ['2026-11-01T10:30:00+01:00', NINE_THIRTY],
    ['2026-10-31T22:00:00-11:30', NINE_THIRTY],
    ['2026-11-01', Date.UTC(2026, 10, 1)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['0001-01-01', Date.parse('0001-01-01T00:00:00Z')],
    // Between two milliseconds it is read as the middle between them.
    ['2026-11-01T09:30:00.0000001Z', NINE_THIRTY + 0.5],
    ['2026-11-01T09:30:00.9999Z', NINE_THIRTY + 999.5],
    ['-P7D', NOW - 7 * DAY],
    ['-P2W', NOW - 14 * DAY],
    ['-PT1H', NOW - DAY / 24],
    ['-PT1H2M3S', NOW - 3_723_000],
    ['-PT90M', NOW - 5_400_000],
    ['-P1DT12H', NOW - 1.5 * DAY],
    ['-P1M', Date.UTC(2028, 1, 29, 12, 0, 0, 7)],
    ['-P13M', Date.UTC(2027, 1, 28, 12, 0, 0, 7)],
    ['-P1Y', Date.UTC(2027, 2, 31, 12, 0, 0, 7)],
    ['-P1Y1M1DT1S', Date.UTC(2027, 1, 27, 11, 59, 59, 7)],
    ['-P4Y', Date.UTC(2024, 2, 31, 12, 0, 0, 7)],
    [`-P${'9'.repeat(400)}Y`, Date.parse('0000-01-01')],
    ['-P99999999999999D', Date.parse('0000-01-01')],
  ])('can be %s', (text, moment) => {
    expect(parseMoment(text, NOW)).toBe(moment);
  });

  test.each([
    ...['', ' ', 'now', '2026', '2026-11', '2026-11-1', '20261101', '2026-11-01T', '2026-11-01T09:30Z'],
    ...['2026-11-01T09:30:00', '2026-11-01 09:30:00Z', '2026-11-01T09:30:00 01:00', '2026-11-01T09:30:00+0100'],
    ...['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-11-00', '+002026-11-01', '-2026-11-01'],
    ...['2026-11-01T24:00:00Z', '2026-11-01T09:60:00Z', '2026-11-01T09:30:00.Z', '2026-11-01T09:30:00+24:00'],
    ...[
      '2016-12-31T23:59:60Z',
      'P7D',
      '-P',
      '-PT',
      '-P1DT',
      '-P1W2D',
      '-P1Y2D',
      '-PT1H2S',
      '-P1.5D',
      '-PT1D',
      '-p7d',
      '-P-7D',
    ],
  ])('cannot be %j', (text) => {
    expect(parseMoment(text, NOW)).toBeUndefined();
  });
});
