import fc from 'fast-check';
import type { UserFields } from '../../lib/users/user.ts';
import type { ModelQuery, ModelUser } from './model.ts';

/** Letters that sort, fold or combine in ways that a naive comparison gets wrong. */
const UNITS = [
  'a',
  'A',
  'b',
  'B',
  'z',
  ' ',
  '0',
  'é',
  'e\u0301',
  'É',
  'ß',
  'ς',
  'σ',
  'Σ',
  'İ',
  'ı',
  '李',
  'ﬀ',
  '\uE000',
  '\uFFFD',
  '😀',
  '𝒜',
  '\u{10FFFF}',
];

const text = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...UNITS), { minLength, maxLength }).map((units) => units.join(''));

const unicodeText = (minLength: number, maxLength: number) =>
  fc.oneof(
    { arbitrary: text(minLength, maxLength), weight: 4 },
    {
      arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength }).filter((value) => !/\p{Cc}/u.test(value)),
      weight: 1,
    },
  );

/** Few distinct values, so that ties, case variants and missing values are common. */
export const statuses = ['active', 'Active', 'ACTIVE', 'locked', 'σ', 'Σ', '\u{10FFFF}', '😀'];
export const countries = ['DE', 'de', 'FR', 'É', '\uE000'];

const present = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 5 });

export const userFields: fc.Arbitrary<UserFields> = fc
  .record({
    name: unicodeText(1, 6).filter((name) => /\S/.test(name)),
    email: present(fc.constantFrom('a@b.de', 'A@B.de', 'é@x.org', 'zz@x.org')),
    age: present(fc.oneof(fc.constantFrom(0, 1, 9, 10, 99), fc.maxSafeNat())),
    firstName: present(unicodeText(0, 2)),
    lastName: present(unicodeText(0, 4)),
    status: present(fc.constantFrom(...statuses)),
    country: present(fc.constantFrom(...countries)),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as UserFields);

const PROPERTIES = ['id', 'name', 'email', 'age', 'firstName', 'lastName', 'createdAt', 'status', 'country'] as const;

const sortKey: fc.Arbitrary<ModelQuery['sort'][number]> = fc.record({
  property: fc.constantFrom<keyof ModelUser>(...PROPERTIES),
  direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
});

export const sort = fc.uniqueArray(sortKey, { selector: ({ property }) => property, maxLength: 3 });

export const query: fc.Arbitrary<ModelQuery> = fc
  .record({
    status: present(fc.constantFrom(...statuses, 'none')),
    country: present(fc.constantFrom(...countries)),
    keyword: fc.option(text(1, 3), { nil: undefined, freq: 2 }),
    sort,
    page: fc.oneof({ arbitrary: fc.nat(3), weight: 3 }, { arbitrary: fc.nat(40), weight: 1 }),
    size: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constantFrom(20, 100)),
  })
  .map(({ status, country, keyword, ...rest }) => ({
    ...rest,
    ...(status !== undefined && { status }),
    ...(country !== undefined && { country }),
    ...(keyword !== undefined && { keyword }),
  }));
