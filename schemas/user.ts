import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

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
} as const;

/** `format: text` is well-formed Unicode without control characters, at most 200 characters in NFC too. */
const text = (maxLength: number, minLength = 0) =>
  ({ type: ['string', 'null'], minLength, maxLength, format: 'text' }) as const;

/**
 * What a client sends. `null` means "no value"; members that are not listed are ignored.
 * The order of the members is the order of validation: the first failing one gives the message.
 */
export const userInput = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 200, pattern: '\\S', format: 'text', examples: EXAMPLES.name },
    email: { type: ['string', 'null'], format: 'email', examples: EXAMPLES.email },
    age: { type: ['integer', 'null'], minimum: 0, maximum: MAX_EXACT_INTEGER, examples: EXAMPLES.age },
    firstName: { ...text(200), examples: EXAMPLES.firstName },
    lastName: { ...text(200), examples: EXAMPLES.lastName },
    status: { ...text(64, 1), examples: EXAMPLES.status },
    country: { ...text(64, 1), examples: EXAMPLES.country },
  },
} as const satisfies JSONSchema;

/** What a client receives. A field without a value is absent. */
export const user = {
  type: 'object',
  required: ['id', 'name', 'createdAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_EXACT_INTEGER, examples: [890301895272553] },
    name: { type: 'string', examples: EXAMPLES.name },
    email: { type: 'string', examples: EXAMPLES.email },
    age: { type: 'integer', format: 'int64', examples: EXAMPLES.age },
    firstName: { type: 'string', examples: EXAMPLES.firstName },
    lastName: { type: 'string', examples: EXAMPLES.lastName },
    createdAt: { type: 'string', format: 'date-time', examples: ['2026-11-20T17:27:41.150Z'] },
    status: { type: 'string', examples: EXAMPLES.status },
    country: { type: 'string', examples: EXAMPLES.country },
  },
} as const satisfies JSONSchema;

/** The listed members alone: the type leaves out what validation lets pass unread. */
export type UserInput = FromSchema<typeof userInput & { readonly additionalProperties: false }>;
export type UserRepresentation = FromSchema<typeof user>;
