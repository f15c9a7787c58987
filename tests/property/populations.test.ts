import { expect, test } from 'vitest';
import { verify } from '../../lib/users/rebuild/verify.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { askPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run test:long` has them whole, in the embedded DynamoDB. Both stores throw when something is too large for DynamoDB. */
const IS_LONG = process.env.LONG !== undefined;
/** So many users write and are folded at a time. */
const CHUNK = 2_000;

interface Population {
  name: string;
  users: () => UserFields[];
  keyword: string;
  /** The number of users with the keyword in their last name. */
  total: number;
}

const times = (count: number, of: (i: number) => UserFields) => () => Array.from({ length: count }, (_, i) => of(i));

/** Populations that are hard for the statistics: some are realistic, some are made to break them. `share` scales their size. */
const populations = (share: number): Population[] => {
  const some = (count: number) => Math.ceil(count * share);
  return [
    {
      name: 'one last name under 5,000 combinations',
      users: times(some(5_000), (i) => ({ name: 'A', lastName: 'Smith', status: `s${i % 50}`, country: `c${i}` })),
      keyword: 'MIT',
      total: some(5_000),
    },
    {
      name: '10,000 statuses',
      users: times(some(10_000), (i) => ({ name: 'A', lastName: 'Lee', status: `${i} ${'s'.repeat(56)}` })),
      keyword: 'lee',
      total: some(10_000),
    },
    {
      name: 'the longest name of one character',
      users: times(some(200), (i) => ({ name: 'A', lastName: '😀'.repeat(200), status: `s${i % 40}` })),
      keyword: '😀😀',
      total: some(200),
    },
    {
      name: 'long names of two characters in turn',
      users: times(some(200), (i) => ({ name: 'A', lastName: '😀𝒜'.repeat(100 - (i % 20)), country: `c${i}` })),
      keyword: '𝒜😀',
      total: some(200),
    },
    {
      name: '20,000 users of one name',
      users: times(some(20_000), () => ({ name: 'A', firstName: 'A', lastName: 'Lee', status: 'on', country: 'DE' })),
      keyword: 'e',
      total: some(20_000),
    },
  ];
};

test.each(populations(IS_LONG ? 1 : 0.02))(
  '$name: nothing fails, and pages and totals are exact',
  async ({ users, keyword, total }) => {
    const service = IS_LONG ? await serviceOn.embedded() : serviceOn.memory();
    const all = users();
    for (let i = 0; i < all.length; i += CHUNK) {
      await service.users.createMany(all.slice(i, i + CHUNK));
      expect((await service.fold()).left).toBe(0);
    }
    expect(await verify(service)).toMatchObject(NOTHING_WRONG);
    const { page } = await askPage(service.listing, { keyword });
    expect([page.totalElements, page.content.length]).toEqual([total, Math.min(20, total)]);
  },
);
