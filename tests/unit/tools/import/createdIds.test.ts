import { describe, expect, test } from 'vitest';
import { createdAt } from '../../../../lib/users/ids.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { idsFor, isAnother, readCreation } from '../../../../tools/import/createdIds.ts';

const NOW = Date.parse('2026-11-27T00:00:00Z');
const DAY = Date.parse('2021-03-04');

/** Two whose first id is the same. */
const N36: UserFields = { name: 'N36' };
const N72: UserFields = { name: 'N72' };
const SHARED = 151_466_803_200_574;

test.each([
  ['2021-03-04T06:06:07.0899+01:00', '2021-03-04T05:06:07.089Z'],
  ['2021-03-04', '2021-03-04T00:00:00.000Z'],
  [1_614_834_367_089, '2021-03-04T05:06:07.089Z'],
  [' 1614834367 ', '2021-03-04T05:06:07.000Z'],
  ['1614834367.089', '2021-03-04T05:06:07.089Z'],
  ['2020-01-01', '2020-01-01T00:00:00.000Z'],
  ['2019-12-31T23:59:59.999Z', 'since is before 2020, where ids begin'],
  ['2026-11-27T00:00:00.001Z', 'since is in the future'],
  [undefined, 'since is missing: --created needs it'],
  ...['-P7D', '2021-02-29', '2021-03-04 05:06:07', '04/03/2021', '20210304', {}].map((text) => [
    text,
    expect.stringMatching(/^since must be a date-time of RFC 3339, a date, or Unix time/),
  ]),
])('a creation may be a moment from 2020 to now, as texts or numbers say it: %j', (value, wanted) => {
  const read = readCreation(value, 'since', NOW);
  expect(typeof read === 'number' ? new Date(read).toISOString() : read).toEqual(wanted);
});

describe('the ids of a creation', () => {
  test('are those of its millisecond, and follow from who it is, not from what may change', () => {
    const ann = { name: 'Ann', email: 'ann@a.example', age: 3 };
    const time = DAY + 18_367_089;
    const ids = idsFor(ann, time);
    expect(ids.slice(0, 3)).toEqual([151_542_034_799_696, 151_542_034_796_789, 151_542_034_799_758]);
    expect(new Set(ids.map(createdAt))).toEqual(new Set(['2021-03-04T05:06:07.089Z']));
    expect(idsFor({ ...ann, age: 4, status: 'x' }, time)).toEqual(ids);
    for (const change of [{ name: 'Bo' }, { email: 'b@a.example' }, { externalId: 'x' }])
      expect(idsFor({ ...ann, ...change }, time)).not.toEqual(ids);
  });

  test('are of another only if nothing tells that it is the same person, who has changed', () => {
    expect([idsFor(N36, DAY)[0], idsFor(N72, DAY)[0]]).toEqual([SHARED, SHARED]);
    expect(isAnother(N72, N36, SHARED)).toBe(true);
    expect(isAnother({ ...N72, age: 7 }, N36, SHARED)).toBe(true);
    // Either N36 under another name, or somebody with an id that nothing explains.
    expect(isAnother({ name: 'Ann' }, N36, SHARED)).toBe(false);
    expect(isAnother({ ...N36, age: 7 }, N36, SHARED)).toBe(false);
  });
});
