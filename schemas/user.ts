import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import {
  ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_ITEM,
  MAX_ATTRIBUTE_ITEMS,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_BYTES,
  MAX_EMAIL_OCTETS,
  MAX_EXTERNAL_ID,
  MAX_LABEL,
  MAX_TEXT,
  PRINTABLE,
  PRINTABLE_AND_NOT_BLANK,
} from './limits.ts';

/** The largest integer that every JSON client reads exactly (RFC 8259, section 6). */
const MAX_EXACT_INTEGER = 9_007_199_254_740_991;

const EXAMPLES = {
  name: ['Ann Lee'],
  email: ['ann@example.com'],
  age: [30],
  firstName: ['Ann'],
  lastName: ['Lee'],
  status: ['active'],
  country: ['DE'],
  externalId: ['auth0|6551b2c4'],
  attributes: [{ department: 'Sales', isManager: true, level: 3, teams: ['red', 'blue'] }],
} as const;

const description = 'No control characters; the length is counted in Unicode NFC, too.';

/** Their `format` requires well-formed Unicode, and at most `maxLength` characters, in NFC too. */
const TEXT = { maxLength: MAX_TEXT, pattern: PRINTABLE, format: 'text', description } as const;
const LABEL = { minLength: 1, maxLength: MAX_LABEL, pattern: PRINTABLE, format: 'label', description } as const;

const optional = { type: ['string', 'null'] } as const;

const EMAIL = `RFC 5321, with letters beyond ASCII (RFC 6531); at most ${MAX_EMAIL_OCTETS} octets; the domain needs no dot.`;

const ATTRIBUTES = `At most ${MAX_ATTRIBUTES} members, with ${MAX_ATTRIBUTES_BYTES} bytes as JSON in all. A number is at most 2^53-1, and not less than -(2^53-1). An empty array, and no members at all, are no value.`;

/** One attribute as it is sent. */
const attributeInput = {
  type: ['string', 'number', 'boolean', 'array', 'null'],
  minLength: 1,
  maxLength: MAX_ATTRIBUTE_TEXT,
  pattern: PRINTABLE,
  format: 'attribute',
  minimum: -MAX_EXACT_INTEGER,
  maximum: MAX_EXACT_INTEGER,
  maxItems: MAX_ATTRIBUTE_ITEMS,
  uniqueItems: true,
  items: { type: 'string', ...LABEL, maxLength: MAX_ATTRIBUTE_ITEM },
} as const satisfies JSONSchema;

/** One attribute as it is received. */
const attribute = {
  not: { type: 'object' },
  description: 'A text, a number that is exact, a boolean, or an array of texts.',
} as const satisfies JSONSchema;

const { type: _, ...rules } = attributeInput;

/**
 * How the document describes what is sent. Without a type: openapi-generator 7 leaves out the array of a list of types, and its client in
 * Java with alternatives does not compile.
 */
export const describedInput = { ...attribute, ...rules } as const satisfies JSONSchema;

export const attributesInput = {
  type: ['object', 'null'],
  maxProperties: MAX_ATTRIBUTES,
  propertyNames: { pattern: ATTRIBUTE_NAME },
  additionalProperties: attributeInput,
  description: ATTRIBUTES,
  examples: EXAMPLES.attributes,
} as const satisfies JSONSchema;

export const attributes = {
  type: 'object',
  additionalProperties: attribute,
  examples: EXAMPLES.attributes,
} as const satisfies JSONSchema;

/**
 * What a client sends. `null` means "no value"; members that are not listed are ignored.
 * Members are validated in this order: the first one that fails gives the message.
 */
export const userInput = {
  type: 'object',
  required: ['name'],
  properties: {
    name: {
      type: 'string',
      ...TEXT,
      minLength: 1,
      pattern: PRINTABLE_AND_NOT_BLANK,
      description: `${description} It has a character that shows something.`,
      examples: EXAMPLES.name,
    },
    email: {
      ...optional,
      minLength: 3,
      maxLength: MAX_EMAIL_OCTETS,
      pattern: PRINTABLE,
      format: 'idn-email',
      description: EMAIL,
      examples: EXAMPLES.email,
    },
    age: { type: ['integer', 'null'], format: 'int64', minimum: 0, maximum: MAX_EXACT_INTEGER, examples: EXAMPLES.age },
    firstName: { ...optional, ...TEXT, examples: EXAMPLES.firstName },
    lastName: { ...optional, ...TEXT, examples: EXAMPLES.lastName },
    status: { ...optional, ...LABEL, examples: EXAMPLES.status },
    country: { ...optional, ...LABEL, examples: EXAMPLES.country },
    externalId: {
      ...optional,
      minLength: 1,
      maxLength: MAX_EXTERNAL_ID,
      pattern: PRINTABLE_AND_NOT_BLANK,
      format: 'externalId',
      description: `${description} It has a character that shows something. No two users have the same.`,
      examples: EXAMPLES.externalId,
    },
    attributes: attributesInput,
  },
} as const satisfies JSONSchema;

/** What a client receives. A field without a value is absent. */
export const user = answer(['id', 'name', 'createdAt'], {
  id: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_EXACT_INTEGER, examples: [890301895272553] },
  name: { type: 'string', minLength: 1, maxLength: MAX_TEXT, examples: EXAMPLES.name },
  email: { type: 'string', minLength: 3, maxLength: MAX_EMAIL_OCTETS, examples: EXAMPLES.email },
  age: { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_EXACT_INTEGER, examples: EXAMPLES.age },
  firstName: { type: 'string', maxLength: MAX_TEXT, examples: EXAMPLES.firstName },
  lastName: { type: 'string', maxLength: MAX_TEXT, examples: EXAMPLES.lastName },
  createdAt: { type: 'string', format: 'date-time', examples: ['2026-11-20T17:27:41.150Z'] },
  status: { type: 'string', minLength: 1, maxLength: MAX_LABEL, examples: EXAMPLES.status },
  country: { type: 'string', minLength: 1, maxLength: MAX_LABEL, examples: EXAMPLES.country },
  externalId: { type: 'string', minLength: 1, maxLength: MAX_EXTERNAL_ID, examples: EXAMPLES.externalId },
  attributes,
});

/** The type has only the listed members. Validation accepts others, and the service ignores them. */
export type UserInput = FromSchema<typeof userInput & { readonly additionalProperties: false }>;

/** Fields of a client's own. The document has no type for their values. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = { readonly [name: string]: AttributeValue };

export type UserRepresentation = Omit<FromSchema<typeof user>, 'attributes'> & { attributes?: Attributes };
