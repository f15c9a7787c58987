import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

const value = (maxLength: number) =>
  ({ type: 'string', maxLength, format: 'text', description: 'No control characters.' }) as const;

/** The filters of a listing, bounded as the fields they are compared with. An empty one is not applied. */
export const filters = {
  type: 'object',
  properties: { status: value(64), country: value(64), keyword: value(200) },
  additionalProperties: false,
} as const satisfies JSONSchema;

export type FilterParameters = FromSchema<typeof filters>;
