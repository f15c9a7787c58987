import { beforeAll, describe, expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import type { Sizes } from '../../../../lib/users/sizes.ts';
import { represent, type User, type UserFields } from '../../../../lib/users/user.ts';
import { usersOf } from '../../../support/fake/steps.ts';
import type { ModelQuery, ModelUser } from '../../../support/model.ts';
import { askPage, expectPages } from '../../../support/questions.ts';
import { serviceOn, type TestService } from '../../../support/service.ts';
import { only, TINY } from '../../../support/tinySizes.ts';

const EMAIL = 'a@b.de';

const modelsOf = (users: readonly User[]) => users.map((user) => represent(user) as ModelUser);

/** Users of whom most were created in the same millisecond, and some before and after it. */
async function ofOneMillisecond(count: number, sizes: Partial<Sizes>) {
  const { users, pass, fold, listing } = serviceOn.memory({ sizes });
  const fields = (n: number) => ({
    name: `n${n % 5}`,
    email: EMAIL,
    status: n % 7 ? 'on' : 'off',
    country: n % 9 ? 'DE' : 'de',
  });
  const all: ModelUser[] = [];
  for (const [first, last] of [
    [0, 10],
    [10, count - 10],
    [count - 10, count],
  ] as const) {
    const some = Array.from({ length: last - first }, (_, i) => fields(first + i));
    all.push(...modelsOf(await users.createMany(some)));
    pass(10);
  }
  await fold();
  return { listing, all };
}

/** A stage whose statistics were built before there was an index by age. */
async function withoutAges() {
  const service = serviceOn.memory({ sizes: { segmentUsers: 6, sumUsers: 20, nearUsers: 2, nodeBytes: 300 } });
  const { store, users, fold } = service;
  await users.createMany(
    Array.from({ length: 120 }, (_, i) => ({
      name: `n${i}`,
      lastName: i % 2 ? 'ab' : 'жж',
      age: i < 60 ? 8 : (i * 7) % 40,
      status: i % 3 ? 'on' : 'off',
    })),
  );
  await fold();
  const directory = store.tables.directory;
  const head = store.itemsOf('directory').find(({ sk }) => sk === '#head') ?? {};
  const indexes = String(head.segmented)
    .split(',')
    .filter((short) => short !== 'a');
  directory?.put({ ...head, segmented: indexes.join() });
  for (const { pk, sk } of store.itemsOf('directory')) {
    if (/:(segments|sums):byAge$/.test(String(pk))) directory?.delete({ pk, sk });
  }
  // These users are counted only in the other lists.
  await users.createMany(Array.from({ length: 20 }, (_, i) => ({ name: `m${i}`, age: i })));
  await fold();
  return service;
}

const STATUSES = ['on', 'on', 'On', 'off', 'on', 'zero', undefined, 'on'];
const OFTEN = ['DE', 'DE', 'FR', 'rare', 'de', undefined];

const fieldsWithRuns = (n: number): UserFields => {
  const [status, often] = [STATUSES[n % STATUSES.length], OFTEN[(n * 5) % OFTEN.length]];
  const country = often === 'rare' ? `E${n % 11}` : often;
  return { name: `n${n % 4}`, ...(status && { status }), ...(country && { country }) };
};

async function withRuns(sizes: Partial<Sizes>) {
  const { users, pass, fold, listing } = serviceOn.memory({ sizes });
  const all: ModelUser[] = [];
  for (let n = 0; n < 120; n++) {
    const user = await users.create({ name: 'first', status: 'zero' });
    all.push(represent(user) as ModelUser);
    pass(1);
  }
  await fold();
  // Even places are written first, so that the others come between them.
  const places = [...all.keys()].sort((a, b) => (a % 2) - (b % 2));
  for (const n of places) {
    const { id = 0 } = all[n] ?? {};
    all[n] = represent(await users.update(id, () => fieldsWithRuns(n))) as ModelUser;
    if (n % 40 === 0) await fold();
  }
  await fold();
  return { listing, all };
}

async function inThreeParts() {
  // With these sizes, pages lie in the middle of segments, far from the ends of a span, which may be within a segment.
  const { users, fold, listing } = serviceOn.memory({ sizes: { segmentUsers: 60, sumUsers: 150, nearUsers: 4 } });
  const all: ModelUser[] = [];
  for (const [status, count] of [
    ['a', 70],
    ['b', 190],
    ['c', 95],
  ] as const) {
    const created = await users.createMany(
      Array.from({ length: count }, (_, i) => ({ name: `n${(i * 37) % 101}`, status, country: i % 5 ? 'DE' : 'FR' })),
    );
    all.push(...modelsOf(created));
    await fold();
  }
  return { listing, all };
}

/** Countries that differ only in case are equal in an order, so their users are sorted together by id. */
const COUNTRIES = ['DE', 'de', 'De', 'FR', 'fr'];

async function inThreeCases(kind: string) {
  const { users, fold, listing } = serviceOn.memory({ sizes: only(kind) });
  const created = await users.createMany(
    Array.from({ length: 40 }, (_, i) => ({
      name: `n${i}`,
      lastName: i % 3 ? 'Lee' : 'Abe',
      country: COUNTRIES[i % COUNTRIES.length] ?? '',
      status: i % 4 ? 'on' : 'off',
    })),
  );
  await fold();
  return { listing, all: modelsOf(created) };
}

const by = (...keys: string[]): Partial<ModelQuery> => ({
  sort: keys.map((key) => {
    const [property, direction = 'asc'] = key.split(' ');
    return { property, direction } as ModelQuery['sort'][number];
  }),
});

const on = { status: 'on' };
const de = { country: 'DE' };
const OF_ONE_MILLISECOND: Partial<ModelQuery>[] = [
  by('createdAt desc'),
  { ...by('createdAt desc'), ...on },
  { ...by('createdAt desc'), ...on, ...de },
  { ...by('createdAt desc'), email: EMAIL },
  { ...by('createdAt desc', 'name'), ...on },
  by('status', 'createdAt desc'),
  by('country', 'createdAt desc'),
];
const OF_RUNS: Partial<ModelQuery>[] = [
  on,
  { status: 'On' },
  de,
  { ...on, ...de },
  { ...on, ...by('createdAt desc') },
  by('status'),
  by('status desc'),
  by('country', 'id desc'),
  by('country desc', 'name'),
  by('status', 'name desc', 'id desc'),
  { ...de, ...by('status') },
  { ...de, ...by('status desc', 'name') },
];
const OF_A_NEW_INDEX: Partial<ModelQuery>[] = [
  by('age'),
  by('age desc'),
  by('age', 'name desc'),
  { ...by('age'), ...on },
  { ...by('age'), keyword: 'ab' },
  by('name'),
  { 'age.gte': 7 },
  { 'age.gte': 7, 'age.lt': 31, ...by('age') },
  { 'age.gte': 7, ...by('age desc', 'name') },
  { 'age.gte': 7, ...by('age'), ...on },
  { 'age.gte': 7, ...by('age'), keyword: 'ab' },
  { 'age.gte': 7, 'name.startsWith': 'n1', ...by('age') },
];
const OF_PARTS: Partial<ModelQuery>[] = [
  { status: 'b' },
  { status: 'b', ...de },
  de,
  { ...de, ...by('name desc') },
  { status: 'b', ...by('name') },
  by('status desc'),
];
const OF_COUNTRIES = [{ keyword: 'e' }, { keyword: 'lee' }, on, { ...on, keyword: 'e' }, {}].flatMap((asked) =>
  ['asc', 'desc'].map((direction) => ({ ...asked, ...by(`country ${direction}`) })),
);

type Prepare = () => Promise<Pick<TestService, 'listing'> & { all: ModelUser[] }>;

/** Sizes with which several short runs are in one segment. */
const LARGER = { ...TINY, segmentUsers: 12, neighbourUsers: 2 };

describe.each<[of: string, Prepare, sizes: number[], asked: Partial<ModelQuery>[]]>([
  ['users of one millisecond, with usual sizes,', () => ofOneMillisecond(700, {}), [20], OF_ONE_MILLISECOND],
  ['users of one millisecond, with tiny sizes,', () => ofOneMillisecond(60, TINY), [2], OF_ONE_MILLISECOND],
  ['runs of status and country in tiny segments', () => withRuns(TINY), [1, 7], OF_RUNS],
  ['runs of status and country in larger segments', () => withRuns(LARGER), [1, 7], OF_RUNS],
  [
    'a list whose index is newer than the statistics',
    async () => {
      const { listing, store } = await withoutAges();
      return { listing, all: usersOf(store) };
    },
    [10],
    OF_A_NEW_INDEX,
  ],
  ['a part of a list, wherever its segments begin and end,', inThreeParts, [3, 10], OF_PARTS],
  ...['walk', 'slice', 'gather', 'groups'].map((kind): [string, Prepare, number[], Partial<ModelQuery>[]] => [
    `users of DE, de and De, in the order of ids, by the plan ${kind}`,
    () => inThreeCases(kind),
    [7],
    OF_COUNTRIES,
  ]),
])('each page of %s', (_, prepare, sizes, questions) => {
  let given: Awaited<ReturnType<Prepare>>;
  beforeAll(async () => {
    given = await prepare();
  });

  test.each(questions)('is right: %j', (asked) => expectPages(given.listing, given.all, asked, sizes));
});

test('a list whose index is newer than the statistics gets its segments when the statistics are built again', async () => {
  const { database, mapsLike } = await withoutAges();
  expect(mapsLike('g').some((map) => map.endsWith(':byAge'))).toBe(false);
  expect((await verify(database)).wrongLists).toBe(1);
  expect((await verify(database, { repair: true, keepOldMs: 0 })).repaired).toBe(true);
  expect(mapsLike('g').filter((map) => map.endsWith(':byAge')).length).toBe(2);
  expect((await verify(database)).wrongLists).toBe(0);
});

test.each(['asc', 'desc'] as const)(
  'the first page of a container reads a list, %s, and then the journal',
  async (direction) => {
    const { users, fold, databaseOf } = serviceOn.memory();
    await users.createMany(Array.from({ length: 30 }, (_, i) => ({ name: `n${i}` })));
    await fold();
    const read: string[] = [];
    const database = databaseOf((call, execute) => {
      const { IndexName = 'Directory' } = call.input as { IndexName?: string };
      read.push(IndexName);
      return execute();
    });
    const query: ModelQuery = { sort: [{ property: 'name', direction }], page: 0, size: 5 };
    const { page } = await askPage(createUserListing(database), query);
    expect(page.totalElements).toBe(30);
    expect(page.content.map(({ name }) => name)).toEqual(
      direction === 'asc' ? ['n0', 'n1', 'n10', 'n11', 'n12'] : ['n9', 'n8', 'n7', 'n6', 'n5'],
    );
    expect(read).toEqual(['byName', 'Directory']);
  },
);
