import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** The largest integer that every JSON client reads exactly (RFC 8259, section 6). */
const MAX_EXACT_INTEGER = 9_007_199_254_740_991;

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
    name: { type: 'string', maxLength: 200, pattern: '\\S', format: 'text' },
    email: { type: ['string', 'null'], format: 'email' },
    age: { type: ['integer', 'null'], minimum: 0, maximum: MAX_EXACT_INTEGER },
    firstName: text(200),
    lastName: text(200),
    status: text(64, 1),
    country: text(64, 1),
  },
} as const satisfies JSONSchema;

/** What a client receives. A field without a value is absent. */
export const user = {
  type: 'object',
  required: ['id', 'name', 'createdAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', minimum: 1, maximum: MAX_EXACT_INTEGER },
    name: { type: 'string' },
    email: { type: 'string' },
    age: { type: 'integer' },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    status: { type: 'string' },
    country: { type: 'string' },
  },
} as const satisfies JSONSchema;

/** The listed members alone: the type leaves out what validation lets pass unread. */
export type UserInput = FromSchema<typeof userInput & { readonly additionalProperties: false }>;
export type UserRepresentation = FromSchema<typeof user>;
