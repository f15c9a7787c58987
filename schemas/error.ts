import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** The body of every response from 400 on, whichever part of the service made it. */
export const error = {
  type: 'object',
  required: ['status', 'message'],
  additionalProperties: false,
  properties: {
    status: { type: 'integer', minimum: 400, maximum: 599 },
    message: { type: 'string' },
  },
} as const satisfies JSONSchema;

export type ErrorBody = FromSchema<typeof error>;
