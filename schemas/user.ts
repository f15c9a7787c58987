import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { MAX_EXACT_INTEGER, REQUIRED, RULES, received, sent } from './fields.ts';
import {
  ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_ITEM,
  MAX_ATTRIBUTE_ITEMS,
  MAX_ATTRIBUTE_TEXT,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_BYTES,
  PRINTABLE,
} from './limits.ts';

const ATTRIBUTES = `At most ${MAX_ATTRIBUTES} members, with ${MAX_ATTRIBUTES_BYTES} bytes as JSON in all. A number is at most 2^53-1, not less than -(2^53-1), and no nearer to 0 than 10^-130. A fraction may have up to 17 digits, as programs write it. An empty array, and no members at all, are no value.`;

const ATTRIBUTES_EXAMPLES = [{ department: 'Sales', isManager: true, level: 3, teams: ['red', 'blue'] }] as const;

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
  items: { ...RULES.label.shape, ...RULES.label.checks, maxLength: MAX_ATTRIBUTE_ITEM },
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
  examples: ATTRIBUTES_EXAMPLES,
} as const satisfies JSONSchema;

export const attributes = {
  type: 'object',
  additionalProperties: attribute,
  examples: ATTRIBUTES_EXAMPLES,
} as const satisfies JSONSchema;

/**
 * A user as a client sends it. `null` means "no value"; members that are not listed are ignored.
 * Members are validated in this order: the first one that fails gives the message.
 */
export const userInput = {
  type: 'object',
  required: REQUIRED,
  properties: {
    ...sent,
    name: { ...sent.name, type: 'string' },
    attributes: attributesInput,
  },
} as const satisfies JSONSchema;

const { name, email, age, firstName, lastName, ...others } = received;

/** A user as a client receives it, in the order of the contract. A field without a value is absent. */
export const user = answer(['id', 'name', 'createdAt'], {
  id: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_EXACT_INTEGER, examples: [890301895272553] },
  name,
  email,
  age,
  firstName,
  lastName,
  createdAt: { type: 'string', format: 'date-time', examples: ['2026-11-20T17:27:41.150Z'] },
  updatedAt: {
    type: 'string',
    format: 'date-time',
    description:
      'The moment of the last write that changed the user, at first that of the creation. Absent if that was before version 3.0.0.',
    examples: ['2026-11-20T17:27:41.150Z'],
  },
  ...others,
  attributes,
});

/** The type has only the listed members. Validation accepts others, and the service ignores them. */
export type UserInput = FromSchema<typeof userInput & { readonly additionalProperties: false }>;

/** Fields of a client's own. The document has no type for their values. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = { readonly [name: string]: AttributeValue };

export type UserRepresentation = Omit<FromSchema<typeof user>, 'attributes'> & { attributes?: Attributes };
