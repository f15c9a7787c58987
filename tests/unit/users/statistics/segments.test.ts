import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { FIRST_BOUND, readEntries } from '../../../../lib/users/statistics/pages.ts';
import { countsIn, hasFewSegments, readSegments } from '../../../../lib/users/statistics/segments.ts';
import type { User } from '../../../../lib/users/user.ts';
import { named, setUp } from '../../../support/fake/setUp.ts';
import { listBy } from '../../../support/listBy.ts';

const NAMES = listBy('name');

const ann = (lastName?: string): User => ({
  id: 42,
  version: 3,
  name: 'Ann',
  ...(lastName !== undefined && { lastName }),
});

describe('what a segment counts of a user', () => {
  test.each([
    ['SMITH', ['n', 'h', 'in latin']],
    ['Иванов-Smith', ['n', 'h', 'in cyrillic', 'in latin']],
    ['12', ['n', 'h']],
    [undefined, ['n', 'h']],
  ])('named %j are %j', (lastName, buckets) => {
    expect(countsIn(NAMES, ann(lastName)).map(([bucket]) => bucket)).toEqual(buckets);
  });

  test('are ones, and a checksum that is stored and so must stay as it is', () => {
    expect(countsIn(NAMES, ann('Smith'))).toEqual([
      ['n', 1],
      ['h', 147908766539664],
      ['in latin', 1],
    ]);
    expect(countsIn(NAMES, ann())).toEqual([
      ['n', 1],
      ['h', 224489678573134],
    ]);
  });

  test('have a checksum that differs with the key and with the scripts, but not with the version', () => {
    const checksum = (user: User) => countsIn(NAMES, user)[1];
    expect(checksum(ann('Иванов'))).not.toEqual(checksum(ann('Smith')));
    expect(checksum({ ...ann('Smith'), id: 43 })).not.toEqual(checksum(ann('Smith')));
    expect(checksum({ ...ann('Lee'), version: 4 })).toEqual(checksum(ann('Smith')));
  });

  test('are no scripts in lists that are not in the order of texts', () => {
    for (const order of ['id', 'age'] as const) {
      expect(countsIn(listBy(order), ann('Smith')).map(([bucket]) => bucket)).toEqual(['n', 'h']);
    }
  });
});

test('a list has few segments while its segments of usual size are fewer than those that have no sums', () => {
  const { database } = setUp({ segmentUsers: 192, fewSegments: 1_000 });
  // 750 segments of 144 users.
  expect(hasFewSegments(database, 108_000)).toBe(true);
  expect(hasFewSegments(database, 108_001)).toBe(false);
});

describe('segments that are read', () => {
  /** Two segments of three users each, who have these names. */
  async function setUpSegments(...names: string[]) {
    const service = setUp({ segmentUsers: 4, fewSegments: 10 });
    const created = await service.users.createMany(names.map((name) => ({ name, lastName: 'a' })));
    await service.fold();
    const read = (to?: string) =>
      withJournal(service.database, (journal) =>
        readSegments(service.database, journal, NAMES, 1, { from: FIRST_BOUND, to }),
      );
    return { ...service, created, read };
  }

  test('count users and scripts, with the journal', async () => {
    const { users, created, read } = await setUpSegments('aa', 'bb', 'cc', 'dd', 'ee', 'ff');
    await users.delete(created[0]?.id ?? 0);
    await users.createMany([
      { name: 'bx', lastName: 'ж' },
      { name: 'dx', lastName: 'b' },
      { name: 'ex', lastName: 'жb' },
    ]);
    const first = {
      from: '\0',
      users: 3,
      byScript: new Map([
        ['in latin', 2],
        ['in cyrillic', 1],
      ]),
    };
    const second = {
      from: 'd\u0003',
      users: 5,
      byScript: new Map([
        ['in latin', 5],
        ['in cyrillic', 1],
      ]),
    };
    expect(await read()).toEqual([first, second]);
    expect(await read('d\u0003')).toEqual([first]);
  });

  test('do not count the user at their end', async () => {
    // Most bounds within a run of one name are keys of users.
    const { users, created, read } = await setUpSegments(...Array<string>(16).fill('n'));
    const keys = created.map(({ id }) => `n\0${String(id).padStart(16, '0')}`);
    const bound = (await read()).map(({ from }) => from).find((from) => keys.includes(from)) ?? '';
    const before = keys.indexOf(bound);
    expect(before).toBeGreaterThan(0);
    await users.delete(created[before]?.id ?? 0);
    expect((await read(bound)).reduce((sum, segment) => sum + segment.users, 0)).toBe(before);
  });
});

describe('a last name that changes its script', () => {
  const SMALL = { segmentUsers: 4, segmentsPerSum: 3, fewSegments: 3, nearUsers: 1 };

  test('is counted by the segments of all lists', async () => {
    const { database, users, fold } = setUp(SMALL);
    const created = await users.createMany(named('a', 'b', 'c', 'd', 'e', 'ж'));
    await fold();
    const scripts = async () => {
      const counts: Record<string, number> = {};
      for (const entry of await readEntries(database, 'segments1:byName:user', FIRST_BOUND, undefined))
        for (const [bucket, n] of entry.counts)
          if (bucket.startsWith('in ')) counts[bucket] = (counts[bucket] ?? 0) + n;
      return counts;
    };
    expect(await scripts()).toEqual({ 'in latin': 5, 'in cyrillic': 1 });
    await users.update(created[2]?.id ?? 0, (now) => ({ ...now, lastName: '鈴木' }));
    await users.update(created[5]?.id ?? 0, (now) => ({ name: now.name }));
    await fold();
    expect(await scripts()).toEqual({ 'in latin': 4, 'in han': 1 });
    expect(await verify(database)).toMatchObject({ users: 6, wrongTotal: false, wrongMaps: 0, wrongLists: 0 });
  });
});
