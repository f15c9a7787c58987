import type { UserFields } from '../../lib/users/user.ts';

export interface Population {
  name: string;
  users: () => UserFields[];
  keyword: string | undefined;
  /** The number of users with the keyword in their last name. */
  total: number;
}

const times = (count: number, of: (i: number) => UserFields) => () => Array.from({ length: count }, (_, i) => of(i));

/** Populations that are hard for the statistics: some are realistic, some are made to break them. `share` scales their size. */
export const populations = (share: number): Population[] => {
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
    {
      name: 'users without any optional field',
      users: times(some(2_000), () => ({ name: 'A' })),
      keyword: undefined,
      total: some(2_000),
    },
  ];
};
