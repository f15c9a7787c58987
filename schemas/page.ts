import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { user } from './user.ts';

/** One page of a listing: exactly these seven members. */
export const page = {
  type: 'object',
  required: ['content', 'totalElements', 'totalPages', 'number', 'size', 'first', 'last'],
  additionalProperties: false,
  properties: {
    content: { type: 'array', items: user, maxItems: 100 },
    totalElements: { type: 'integer', minimum: 0 },
    totalPages: { type: 'integer', minimum: 0 },
    number: { type: 'integer', minimum: 0 },
    size: { type: 'integer', minimum: 1, maximum: 100 },
    first: { type: 'boolean' },
    last: { type: 'boolean' },
  },
} as const satisfies JSONSchema;

export type Page = FromSchema<typeof page>;
