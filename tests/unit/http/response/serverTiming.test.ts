import { expect, test } from 'vitest';
import { serverTiming } from '../../../../lib/http/response/serverTiming.ts';

const METER = { calls: 2, readUnits: 2.5, writeUnits: 0, dynamoMs: 7 };

test.each([
  ['a read', METER, 'dynamodb;desc="2.5 RRU";dur=7'],
  ['a write', { ...METER, writeUnits: 18 }, 'dynamodb;desc="2.5 RRU, 18 WRU";dur=7'],
  [
    'a listing',
    { ...METER, plan: 'slice byName', journal: 12 },
    'plan;desc="slice byName", journal;desc="12", dynamodb;desc="2.5 RRU";dur=7',
  ],
  ['a listing with an empty journal', { ...METER, journal: 0 }, 'journal;desc="0", dynamodb;desc="2.5 RRU";dur=7'],
])('the header Server-Timing has the cost of %s', (_, meter, header) => {
  expect(serverTiming(meter)).toBe(header);
});
