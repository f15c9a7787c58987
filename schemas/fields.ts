import {
  MAX_EMAIL_OCTETS,
  MAX_EXTERNAL_ID,
  MAX_LABEL,
  MAX_TEXT,
  PRINTABLE,
  PRINTABLE_AND_NOT_BLANK,
} from './limits.ts';

/** The largest integer that every JSON client reads exactly (RFC 8259, section 6). */
export const MAX_EXACT_INTEGER = 9_007_199_254_740_991;

const NO_CONTROL = 'No control characters; the length is counted in Unicode NFC, too.';

/**
 * The rules of values: their `shape`, as they are sent and received, and the `checks` of one that is sent, beside its shape. A `format`
 * requires well-formed Unicode, and at most `maxLength` characters, in NFC too: lib/http/request/formats.ts. They are made within a function whose call has a mark: so bundlers leave them out of the admin page,
 * which needs the table of fields alone.
 */
export const RULES = /* @__PURE__ */ (() => {
  const EMAIL = `RFC 5321, with characters beyond ASCII that show something (RFC 6531), in the domain only letters, marks, digits and emoji. At most ${MAX_EMAIL_OCTETS} octets. The domain needs no dot. An IP address is \`[192.0.2.1]\` or \`[IPv6:2001:db8::1]\`.`;
  const NOT_BLANK = {
    pattern: PRINTABLE_AND_NOT_BLANK,
    description: `${NO_CONTROL} It has a character that shows something.`,
  } as const;
  return {
    text: {
      shape: { type: 'string', maxLength: MAX_TEXT },
      checks: { pattern: PRINTABLE, format: 'text', description: NO_CONTROL },
    },
    label: {
      shape: { type: 'string', minLength: 1, maxLength: MAX_LABEL },
      checks: { pattern: PRINTABLE, format: 'label', description: NO_CONTROL },
    },
    integer: {
      shape: { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_EXACT_INTEGER },
      checks: {},
    },
    address: {
      shape: { type: 'string', minLength: 3, maxLength: MAX_EMAIL_OCTETS },
      checks: { pattern: PRINTABLE, format: 'idn-email', description: EMAIL },
    },
    name: {
      shape: { type: 'string', minLength: 1, maxLength: MAX_TEXT },
      checks: { ...NOT_BLANK, format: 'text' },
    },
    externalId: {
      shape: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID },
      checks: {
        ...NOT_BLANK,
        format: 'externalId',
        description: `${NOT_BLANK.description} No two users have the same.`,
      },
    },
  } as const;
})();

/** The uses of a field, beside those that all have. */
interface Uses {
  /** The words of a search are looked for in this field, and others. */
  words?: true;
  /** Many users share its few values: the page offers them, and counts users by them. */
  few?: true;
}

type Rules = typeof RULES;

/**
 * A field of some kind.
 *
 * @param short its name in journal entries, which every list reads: one letter, never reused
 * @param kind how it is compared: `FieldKind` of lib/columns
 * @param rule the name of the rules of its values
 */
const field =
  <const Kind extends string, const Rule extends keyof Rules>(kind: Kind, rule: Rule) =>
  <const Own extends Uses>(short: string, example: string | number, uses?: Own) => ({
    ...({ short, kind, rule, example } as const),
    ...(uses as Own),
  });

/** A text of up to 200 characters, compared ignoring case. */
const text = field('text', 'text');

/** One of some short texts that differ by case: at most 64 characters. */
const label = field('exact', 'label');

/** An integer from 0 on. */
const integer = field('number', 'integer');

const address = field('address', 'address');

const name = field('text', 'name');

/** Only one user has a value: lib/users/unique.ts. */
const externalId = field('exact', 'externalId');

/**
 * The one table of fields, in the order in which they are validated. All that is the same for every field is derived from it: schemas, filters,
 * columns, orders, counts, the OpenAPI document and the page. The recipe for a new one is in .github/CONTRIBUTING.md.
 */
export const FIELDS = {
  name: name('n', 'Ann Lee', { words: true }),
  email: address('e', 'ann@example.com', { words: true }),
  age: integer('a', 30),
  firstName: text('f', 'Ann', { words: true }),
  lastName: text('l', 'Lee', { words: true }),
  status: label('s', 'active', { few: true }),
  country: label('c', 'DE', { few: true }),
  externalId: externalId('x', 'auth0|6551b2c4', { words: true }),
} as const;

/** The name of `attributes` in journal entries. They are no field of one value. */
export const ATTRIBUTES_SHORT = 't';

/** The name of `updatedAt` in journal entries. The service sets it: a client never does. */
export const UPDATED_SHORT = 'u';

type Fields = typeof FIELDS;

/** A field with one value. A user has attributes, too. */
export type PlainField = keyof Fields;

/** The fields that every user has. */
export const REQUIRED = ['name'] as const satisfies PlainField[];

/** For each field what is made of its row of the table. A mark at each use tells bundlers that they may leave it out. */
const ofEach = (make: (row: Fields[PlainField]) => object): object =>
  Object.fromEntries(Object.entries(FIELDS).map(([each, row]) => [each, make(row)]));

type RulesOf<Name extends PlainField> = Rules[Fields[Name]['rule']];
type Shape<Name extends PlainField> = RulesOf<Name>['shape'];

/** The fields as a client sends them: `null` means "no value". */
export const sent = /* @__PURE__ */ ofEach(({ rule, example }) => ({
  ...RULES[rule].shape,
  type: [RULES[rule].shape.type, 'null'],
  ...RULES[rule].checks,
  examples: [example],
})) as {
  readonly [Name in PlainField]: Omit<Shape<Name>, 'type'> &
    RulesOf<Name>['checks'] & {
      readonly type: readonly [Shape<Name>['type'], 'null'];
      readonly examples: readonly [string | number];
    };
};

/** The fields as a client receives them. */
export const received = /* @__PURE__ */ ofEach(({ rule, example }) => ({
  ...RULES[rule].shape,
  examples: [example],
})) as {
  readonly [Name in PlainField]: Shape<Name> & { readonly examples: readonly [string | number] };
};
