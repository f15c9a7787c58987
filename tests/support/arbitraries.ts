import fc from 'fast-check';
import type { Kind } from '../../lib/replica/definition.ts';
import { type FieldsOf, KINDS } from '../../lib/users/fields.ts';
import { FIELD_NAMES, type FieldName, isOptional, type UserFields } from '../../lib/users/user.ts';
import { user, userInput } from '../../schemas/user.ts';
import { type ModelQuery, type ModelUser, modelFilter } from './model.ts';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any text without lone surrogates. `fc.string` with the unit `binary` has the same, and would first make a map of all characters,
 * which takes a second.
 */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc
    .array(fc.nat(0x10ffff - SURROGATES.count), maxLength === undefined ? {} : { maxLength })
    .map((places) => places.map((n) => (n < SURROGATES.first ? n : n + SURROGATES.count)))
    .map((characters) => String.fromCodePoint(...characters));

/** Letters that sort, fold or combine in ways that a naive comparison gets wrong. */
const UNITS = ['e\u0301', '\u0345', 'i\u0307', '\uE000', '\uFFFD', '\u{10FFFF}'].concat(
  ...'aAbBz 0éÉßςσΣiİıſsẞᾂᎠ李ﬀ😀𝒜',
);

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

const anyOf = (values: readonly string[]) => fc.constantFrom(...values);

/** Local parts of e-mails: those that are one address, and those that only look alike. */
export const MAILBOXES = [
  'mike',
  'MIKE',
  'mıke',
  'MİKE',
  'mi\u0307ke',
  'mi\u212ae',
  'straße',
  'STRASSE',
  'STRAẞE',
  'ſ',
  's',
].concat(...['ﬁ', 'fi', 'é', 'E\u0301', 'Σς', 'σσ', 'ꭰ', 'Ꭰ', 'ᾈ', 'ᾀ', '12']);

/** Fields whose values are not those of their kind. */
const SPECIAL: Partial<Record<FieldName, fc.Arbitrary<string>>> = {
  name: unicodeText(1, 6).filter((name) => /\S/.test(name)),
  email: anyOf(MAILBOXES.map((local) => `${local}@x.org`)),
  lastName: unicodeText(0, 4),
  country: anyOf(countries),
};

function valuesOf(field: FieldName): fc.Arbitrary<string | number> {
  if (KINDS[field] === 'number') return fc.oneof(fc.constantFrom(0, 1, 9, 10, 99), fc.maxSafeNat());
  return SPECIAL[field] ?? (KINDS[field] === 'exact' ? anyOf(statuses) : unicodeText(0, 2));
}

export const userFields: fc.Arbitrary<UserFields> = fc
  .record(
    Object.fromEntries(FIELD_NAMES.map((name) => [name, name === 'name' ? valuesOf(name) : present(valuesOf(name))])),
  )
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as UserFields);

const LONGEST_EMAIL = `${'é'.repeat(32)}@${['a', 'b', 'c'].map((letter) => letter.repeat(61)).join('.')}.de`;

/** A user with all fields at their maximum length, in a letter. */
export const largestFields = (letter: string): Required<UserFields> => ({
  ...(Object.fromEntries(
    FIELD_NAMES.map((name) => {
      const rules = userInput.properties[name];
      return [name, 'maxLength' in rules ? letter.repeat(rules.maxLength) : Number.MAX_SAFE_INTEGER];
    }),
  ) as Required<UserFields>),
  email: LONGEST_EMAIL,
});

const PROPERTIES = Object.keys(user.properties) as (keyof ModelUser)[];

const sortKey: fc.Arbitrary<ModelQuery['sort'][number]> = fc.record({
  property: fc.constantFrom<keyof ModelUser>(...PROPERTIES),
  direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
});

/** A property may be named twice. */
export const sort = fc.array(sortKey, { maxLength: 3 });

/** Makes a query that asks for values of these users. Most of its pages are not empty. */
export type Question = (users: readonly ModelUser[]) => ModelQuery;

const someone = fc.option(fc.nat(), { nil: undefined, freq: 2 });

const fieldsOf = <Wanted extends Kind>(kind: Wanted) =>
  FIELD_NAMES.filter((field): field is FieldsOf<Wanted> => KINDS[field] === kind);

const FOLDED = [...fieldsOf('text'), ...fieldsOf('address')];
const EXACT = fieldsOf('exact');
const OPTIONAL = FIELD_NAMES.filter(isOptional);
const BOUNDS = ['is', 'gte', 'gt', 'lte', 'lt'] as const;

/** A range filter. Its bound is the value of a user, or close to it. */
const rangePart = fc.oneof(
  fc.record({ by: fc.constantFrom(...FOLDED), of: fc.nat(), length: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    by: fc.constantFrom('createdAt' as const, ...fieldsOf('number')),
    bound: fc.constantFrom(...BOUNDS),
    of: fc.nat(),
    beside: fc.constantFrom(0, 0, 0, 1, -1, 1e17, -1e17),
  }),
  fc.record({ by: fc.constantFrom(...OPTIONAL), isMissing: fc.boolean(), of: fc.nat() }),
);

type RangePart = typeof rangePart extends fc.Arbitrary<infer Part> ? Part : never;

/** The filter of a part, such as `age.gte`. */
function rangeFilter(part: RangePart, user: ModelUser | undefined): Partial<ModelQuery> {
  if ('isMissing' in part) return { [`${part.by}.missing`]: part.isMissing };
  if ('length' in part) {
    const { by, length, of } = part;
    const prefix = Array.from(user?.[by] ?? 'a')
      .slice(0, length)
      .join('');
    return { [`${by}.startsWith`]: of % 2 === 0 ? prefix.toUpperCase() : prefix };
  }
  const { by, bound, beside } = part;
  if (by !== 'createdAt') return { [bound === 'is' ? by : `${by}.${bound}`]: (user?.[by] ?? 5) + beside };
  const moment = Date.parse(user?.createdAt ?? '2026-01-01T00:00:00Z') + Math.sign(beside);
  return { [`createdAt.${bound === 'is' ? 'gte' : bound}`]: new Date(moment).toISOString() };
}

const someOrSeveral = fc.oneof(
  { arbitrary: someone, weight: 4 },
  { arbitrary: fc.array(fc.nat(), { minLength: 2, maxLength: 3 }), weight: 1 },
);

/** What a query is made from: the users that it takes its values from, and the depth of its page. */
const anyParts = fc.record({
  /** By the field: the users whose values are asked for. */
  exact: fc.tuple(...EXACT.map(() => someOrSeveral)),
  folded: fc.tuple(
    ...FOLDED.map(() => fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: fc.nat(), weight: 1 })),
  ),
  ids: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 9 },
    { arbitrary: fc.array(fc.nat(), { maxLength: 9 }), weight: 1 },
  ),
  keyword: fc.option(text(1, 2), { nil: undefined, freq: 2 }),
  ranges: fc.oneof(
    { arbitrary: fc.constant<RangePart[]>([]), weight: 2 },
    { arbitrary: fc.array(rangePart, { minLength: 1, maxLength: 3 }), weight: 1 },
  ),
  sort,
  percent: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
  size: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constantFrom(20, 100)),
});

export const question: fc.Arbitrary<Question> = anyParts.map(
  ({ ids, keyword, sort, percent, size, ranges, ...of }) =>
    (users) => {
      const at = (index: number | undefined) =>
        index === undefined ? undefined : users[index % Math.max(users.length, 1)];
      /** The values of one user, or of several; undefined if there is none. */
      const valuesOf = (field: (typeof EXACT)[number], indexes: number | number[] | undefined) => {
        if (!Array.isArray(indexes)) return at(indexes)?.[field];
        const values = indexes.flatMap((index) => at(index)?.[field] ?? []);
        return values.length > 0 ? values : undefined;
      };
      const filters: Partial<ModelQuery> = {
        ...Object.fromEntries(
          [
            ...EXACT.map((field, i) => [field, valuesOf(field, of.exact[i])]),
            ...FOLDED.map((field, i) => [field, at(of.folded[i])?.[field]?.toUpperCase()]),
          ].filter(([, value]) => value !== undefined),
        ),
        // Some twice, and some of nobody.
        ...(ids && { id: ids.map((n) => at(n)?.id ?? n).concat(7) }),
        ...(keyword !== undefined && { keyword }),
        ...Object.assign({}, ...ranges.map((part) => rangeFilter(part, at(part.of)))),
      };
      const pages = Math.ceil(modelFilter(users, filters).length / size) + 1;
      return { ...filters, sort, size, page: Math.floor((percent / 100) * pages) };
    },
);
