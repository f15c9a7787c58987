import { describe, expect, test } from 'vitest';
import { parseMoment } from '../../../../lib/http/request/moments.ts';

const NINE_THIRTY = Date.UTC(2026, 10, 1, 9, 30);

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
  ])('can be %s', (text, moment) => {
    expect(parseMoment(text)).toBe(moment);
  });

  test.each([
    ...['', ' ', 'now', '2026', '2026-11', '2026-11-1', '20261101', '2026-11-01T', '2026-11-01T09:30Z'],
    ...['2026-11-01T09:30:00', '2026-11-01 09:30:00Z', '2026-11-01T09:30:00 01:00', '2026-11-01T09:30:00+0100'],
    ...['2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-11-00', '+002026-11-01', '-2026-11-01'],
    ...['2026-11-01T24:00:00Z', '2026-11-01T09:60:00Z', '2026-11-01T09:30:00.Z', '2026-11-01T09:30:00+24:00'],
    '2016-12-31T23:59:60Z',
  ])('cannot be %j', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});
