import fc from 'fast-check';
import type { PARTS } from '../../lib/users/filters.ts';
import {
  type Attributes,
  type AttributeValue,
  attributesOf,
  type FieldKind,
  type FieldsOf,
  isOptional,
  KINDS,
  PLAIN_FIELDS,
  type PlainField,
  type UserFields,
} from '../../lib/users/user.ts';
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../schemas/limits.ts';
import { user, userInput } from '../../schemas/user.ts';
import { MODEL_PARTS, type ModelQuery, type ModelUser, modelFilter, type OneValue } from './model.ts';

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
  ...'aAbBz 0éÉßςσΣiİıſsẞᾂᎠ李ﬀ😀𝒜かが\u3099दि한하ש\u05b8',
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

/** Names of attributes that every object inherits in JavaScript, or that a library asks an object for. In their order. */
export const STRANGE_NAMES = [
  'constructor',
  'hasOwnProperty',
  'length',
  'then',
  'toJSON',
  'toString',
  'valueOf',
] as const;

const present = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 5 });

const anyOf = (values: readonly string[]) => fc.constantFrom(...values);

/** Local parts of e-mails: those that are one address, and those that only look alike. */
const MAILBOXES = [
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

/** Addresses that are written otherwise than they are compared, and some that are one mailbox with others. */
const RESPELLED = ['"mike"@x.org', '"MI\\KE"@X.org', '"a b"@x.org', '"a\\ b"@x.org', '"é"@x.org', '!@x.org'].concat(
  [
    'bücher.example',
    'BU\u0308CHER.example',
    'xn--bcher-kva.example',
    'ｱ.example',
    'ア.example',
    'straẞe.de',
    'straße.de',
  ].map((domain) => `mike@${domain}`),
  ['"mike"@bücher.example', 'é@XN--bcher-kva.example'],
);

/** Fields whose values are not those of their kind. */
const SPECIAL: Partial<Record<PlainField, fc.Arbitrary<string>>> = {
  name: unicodeText(1, 6).filter((name) => /\S/.test(name)),
  email: anyOf([...MAILBOXES.map((local) => `${local}@x.org`), ...RESPELLED]),
  lastName: unicodeText(0, 4),
  country: anyOf(countries),
  // No two users may have the same, not even while a failure is made smaller.
  externalId: fc.noShrink(
    fc.noBias(fc.tuple(anyOf(UNITS), fc.maxSafeNat())).map(([letter, n]) => `${letter}${n.toString(36)}`),
  ),
};

function valuesOf(field: PlainField): fc.Arbitrary<string | number> {
  if (KINDS[field] === 'number') return fc.oneof(fc.constantFrom(0, 1, 9, 10, 99), fc.maxSafeNat());
  return SPECIAL[field] ?? (KINDS[field] === 'exact' ? anyOf(statuses) : unicodeText(0, 2));
}

/** Attributes that many users have, or few. */
const NAMES = ['team', ...STRANGE_NAMES];

/** Texts that begin with dates, and some that do not. */
const DATES = [
  ...['2026-11-28', '2026-11-29', '2027-01-01', '2026-11-28T09:30:00.000Z', '2026-11-28t09:30:00z'],
  ...['2026-11-28T23:30:00-01:00', '2026-12-01 00:30:00.5+01:00', '2027-01-03T23:59:59-23:59', '2026-11-28 late'],
  ...['2026-02-30', '2028-02-29', '2026-2-3', '2026-11', '20261128', '2026-11-2é'],
];

const attributeText = fc.oneof(anyOf(statuses), anyOf(['', '3', 'true']), anyOf(DATES), unicodeText(0, 2));

/** Of all kinds, and of each some that look alike. */
const attributeValue: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.boolean(),
  fc.constantFrom(3, 0, -1, 0.5, 2.5e10),
  attributeText,
  fc.uniqueArray(attributeText, { minLength: 1, maxLength: 3 }),
);

export const attributes: fc.Arbitrary<UserFields['attributes']> = fc
  .dictionary(fc.oneof(fc.constantFrom('team', 'then'), fc.constantFrom(...NAMES)), attributeValue, { maxKeys: 3 })
  .map(attributesOf);

export const userFields: fc.Arbitrary<UserFields> = fc
  .record({
    ...Object.fromEntries(
      PLAIN_FIELDS.map((name) => [name, name === 'name' ? valuesOf(name) : present(valuesOf(name))]),
    ),
    attributes: present(attributes),
  })
  .map(
    (fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as unknown as UserFields,
  );

const LONGEST_EMAIL = `${'é'.repeat(32)}@${['a', 'b', 'c'].map((letter) => letter.repeat(61)).join('.')}.de`;

/** As many as there may be, in short texts, and one text with all that is left. */
function largestAttributes(letter: string): Attributes {
  const names = Array.from({ length: MAX_ATTRIBUTES }, (_, i) => `a${i}`);
  const all = Object.fromEntries(names.map((name) => [name, letter]));
  const left = MAX_ATTRIBUTES_BYTES - Buffer.byteLength(JSON.stringify(all));
  const length = Math.floor(left / Buffer.byteLength(letter) / 10);
  return { ...all, ...Object.fromEntries(names.slice(0, 10).map((name) => [name, letter.repeat(length)])) };
}

/** A user with all fields at their maximum length, in a letter. */
export const largestFields = (letter: string): Required<UserFields> => ({
  ...(Object.fromEntries(
    PLAIN_FIELDS.map((name) => {
      const rules = userInput.properties[name];
      return [name, 'maxLength' in rules ? letter.repeat(rules.maxLength) : Number.MAX_SAFE_INTEGER];
    }),
  ) as unknown as Required<UserFields>),
  email: LONGEST_EMAIL,
  attributes: largestAttributes(letter),
});

const PROPERTIES = Object.keys(user.properties).filter((name): name is OneValue => name !== 'attributes');

/** Some that users have, and one that nobody has. */
export const ATTRIBUTES = [...NAMES, 'nobodys'].map((name) => `attributes.${name}` as const);

const sortKey: fc.Arbitrary<ModelQuery['sort'][number]> = fc.record({
  property: fc.oneof(
    { arbitrary: fc.constantFrom<OneValue>(...PROPERTIES), weight: 3 },
    fc.constantFrom(...ATTRIBUTES),
  ),
  direction: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
});

/** A property may be named twice. */
export const sort = fc.array(sortKey, { maxLength: 3 });

/** Makes a query that asks for values of these users. Most of its pages are not empty. */
export type Question = (users: readonly ModelUser[]) => ModelQuery;

const someone = fc.option(fc.nat(), { nil: undefined, freq: 2 });

const fieldsOf = <Wanted extends FieldKind>(kind: Wanted) =>
  PLAIN_FIELDS.filter((field): field is FieldsOf<Wanted> => KINDS[field] === kind);

const EXACT = fieldsOf('exact');
const TEXTS = [...fieldsOf('text'), ...fieldsOf('address'), ...EXACT];
const OPTIONAL = PLAIN_FIELDS.filter(isOptional);
/** Those that the model knows: a test of places asks for the others. */
const ENDINGS = Object.keys(MODEL_PARTS) as (keyof typeof PARTS)[];
const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;

const several = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });

/** A part of a text. */
const piece = fc.record({ of: fc.nat(), from: fc.nat(6), length: fc.integer({ min: 1, max: 3 }) });
type Piece = typeof piece extends fc.Arbitrary<infer Each> ? Each : never;

/** A filter that is no keyword. Its values are those of users, or close to them. */
const anyPart = fc.oneof(
  fc.record({
    by: fc.constantFrom(...TEXTS),
    part: fc.constantFrom(...ENDINGS),
    pieces: fc.array(piece, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    by: fc.constantFrom('id' as const, ...PLAIN_FIELDS),
    is: fc.boolean(),
    several,
  }),
  fc.record({
    by: fc.constantFrom('createdAt' as const, 'updatedAt' as const, ...fieldsOf('number')),
    bound: fc.constantFrom(...BOUNDS),
    of: fc.nat(),
    beside: fc.constantFrom(0, 0, 0, 1, -1, 1e17, -1e17),
  }),
  fc.record({ by: fc.constantFrom('updatedAt', ...OPTIONAL, ...ATTRIBUTES), isMissing: fc.boolean() }),
  fc.record({
    attribute: fc.constantFrom(...ATTRIBUTES, ...ATTRIBUTES.slice(0, 1)),
    asks: fc.constantFrom('', '.not', ...[...ENDINGS, ...BOUNDS].map((each) => `.${each}`)),
    pieces: fc.array(piece, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ words: fc.array(piece, { minLength: 1, maxLength: 3 }), blank: fc.constantFrom(' ', '\u3000', '  ') }),
);

type Part = typeof anyPart extends fc.Arbitrary<infer Each> ? Each : never;

/** As somebody may type it: in another case, or without accents. */
const typed = (text: string, n: number): string =>
  [text, text.toUpperCase(), text.normalize('NFD').replace(/\p{M}/gu, '')][n % 3] ?? text;

/** A part of a text, at the place that is asked for; or some letter. */
function partOf(text: string, asks: string, { of, from, length }: Piece) {
  const letters = Array.from(text);
  const part = asks.endsWith('endsWith')
    ? letters.slice(-length)
    : letters.slice(...(asks.endsWith('startsWith') ? [0, length] : [from, from + length]));
  return typed(part.join('') || 'a', of);
}

/** A bound of numbers, if a text is one; else of texts: as it is, as somebody may type it, or by its beginning. */
function boundOf(text: string, { of, from, length }: Piece): string | number {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return typed(from === 0 ? Array.from(text).slice(0, length).join('') : text, of);
}

type At = (index: number) => ModelUser | undefined;

/** The texts, numbers and booleans of an attribute, as a parameter has them, or parts of them. */
function attributeFilterOf(
  { attribute, asks, pieces }: Extract<Part, { attribute: string }>,
  at: At,
): Partial<ModelQuery> {
  const name = attribute.slice('attributes.'.length);
  const values = pieces.map((each) => {
    const attributes = at(each.of)?.attributes ?? {};
    const value = Object.hasOwn(attributes, name) ? attributes[name] : ['3', 'true', 'a', '0.5'][each.of % 4];
    const texts = [value].flat().map(String);
    const text = texts[each.from % texts.length] ?? '';
    if (BOUNDS.some((each) => asks === `.${each}`)) return boundOf(text, each);
    return ENDINGS.some((each) => asks === `.${each}`) ? partOf(text, asks, each) : text;
  });
  if (BOUNDS.some((each) => asks === `.${each}`)) return { [attribute + asks]: values[0] ?? 0 };
  return { [attribute + asks]: values.filter((value) => value !== '') };
}

/** The filter of a part, such as `age.gte`. */
function filterOf(part: Part, at: At): Partial<ModelQuery> {
  if ('words' in part) {
    const words = part.words.map((each) => {
      const { id, name, firstName, lastName, email } = at(each.of) ?? {};
      return each.of % 5 === 0
        ? String(id)
        : partOf([name, firstName, lastName, email][each.of % 4] ?? 'a', '', each).replaceAll(/\s/g, '');
    });
    return { q: words.join(part.blank) };
  }
  if ('attribute' in part) return attributeFilterOf(part, at);
  if ('isMissing' in part) return { [`${part.by}.missing`]: part.isMissing };
  if ('pieces' in part) {
    const values = part.pieces.map((each) => partOf(at(each.of)?.[part.by] ?? 'a', part.part, each));
    return { [`${part.by}.${part.part}`]: values };
  }
  if ('several' in part) {
    const { by, is } = part;
    const values = part.several.flatMap((n) => at(n)?.[by] ?? (by === 'age' || by === 'id' ? n : []));
    return {
      [is ? by : `${by}.not`]: values.map((value, i) =>
        typeof value === 'string' && by !== 'status' ? typed(value, i) : value,
      ),
    };
  }
  const { by, bound, beside, of } = part;
  if (by !== 'createdAt' && by !== 'updatedAt') return { [`${by}.${bound}`]: (at(of)?.[by] ?? 5) + beside };
  const moment = Date.parse(at(of)?.[by] ?? '2026-01-01T00:00:00Z') + Math.sign(beside);
  return { [`${by}.${bound}`]: new Date(moment).toISOString() };
}

const someOrSeveral = fc.oneof(
  { arbitrary: someone, weight: 4 },
  { arbitrary: fc.array(fc.nat(), { minLength: 2, maxLength: 3 }), weight: 1 },
);

/** The parts of a query: the users that it takes its values from, and the depth of its page. */
const anyParts = fc.record({
  /** By the field: the users whose values are asked for. */
  exact: fc.tuple(...EXACT.map(() => someOrSeveral)),
  keyword: fc.option(text(1, 2), { nil: undefined, freq: 2 }),
  parts: fc.oneof(
    { arbitrary: fc.constant<Part[]>([]), weight: 1 },
    { arbitrary: fc.array(anyPart, { minLength: 1, maxLength: 3 }), weight: 2 },
  ),
  sort,
  percent: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
  size: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constantFrom(20, 100)),
});

export const question: fc.Arbitrary<Question> = anyParts.map(
  ({ exact, keyword, sort, percent, size, parts }) =>
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
          EXACT.map((field, i) => [field, valuesOf(field, exact[i])]).filter(([, value]) => value !== undefined),
        ),
        ...(keyword !== undefined && { keyword }),
        ...Object.assign({}, ...parts.map((part) => filterOf(part, at))),
      };
      const pages = Math.ceil(modelFilter(users, filters).length / size) + 1;
      return { ...filters, sort, size, page: Math.floor((percent / 100) * pages) };
    },
);
