import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { user } from './user.ts';

const { status, country } = user.properties;
const number = { type: 'integer', format: 'int64', minimum: 0 } as const;

/** How many users have some values. A value that they lack is absent, and so is one that is not asked for. */
export const valueCount = {
  type: 'object',
  required: ['count'],
  additionalProperties: false,
  properties: { status, country, count: { ...number, minimum: 1 } },
} as const satisfies JSONSchema;

export const valueCounts = {
  type: 'object',
  required: ['total', 'counts'],
  additionalProperties: false,
  properties: {
    total: number,
    counts: { type: 'array', items: valueCount, maxItems: 1_000, description: 'The largest first.' },
    others: { ...number, description: 'How many users have values beyond these. Absent if none.' },
  },
} as const satisfies JSONSchema;

export type ValueCountsBody = FromSchema<typeof valueCounts>;
