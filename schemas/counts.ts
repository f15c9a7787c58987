import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { MAX_COUNTS, MAX_EMAIL_OCTETS } from './limits.ts';
import { user } from './user.ts';

const { id: _, createdAt: __, attributes: ___, ...fields } = user.properties;
const number = { type: 'integer', format: 'int64', minimum: 0 } as const;
const period = (pattern: string, example: string) => ({ type: 'string', pattern, examples: [example] }) as const;

const day = period('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', '2026-11-20');
const week = period('^[0-9]{4}-W[0-9]{2}$', '2026-W47');
const month = period('^[0-9]{4}-[0-9]{2}$', '2026-11');
const year = period('^[0-9]{4}$', '2026');

/** The properties that users are counted by. */
export const counted = {
  ...fields,
  'email.domain': { type: 'string', maxLength: MAX_EMAIL_OCTETS, examples: ['example.com'] },
  'createdAt.day': day,
  'createdAt.week': week,
  'createdAt.month': month,
  'createdAt.year': year,
  'updatedAt.day': day,
  'updatedAt.week': week,
  'updatedAt.month': month,
  'updatedAt.year': year,
} as const;

/** How many users have some values. A value that they lack is absent, and so is one that is not asked for. Attributes are such as `attributes.department`, or `attributes.contractEnd.year`. */
export const valueCount = {
  type: 'object',
  required: ['count'],
  // Without a type, as attributes are: generators of clients do not compile a list of types.
  additionalProperties: { not: { type: ['object', 'array'] }, description: 'A text, a number or a boolean.' },
  properties: { ...counted, count: { ...number, minimum: 1 } },
} as const satisfies JSONSchema;

export const valueCounts = answer(['total', 'counts'], {
  total: number,
  counts: {
    type: 'array',
    items: valueCount,
    maxItems: MAX_COUNTS,
    description: 'The largest first. A user with an array is in several: their sum may be more than the total.',
  },
  others: { ...number, description: 'How many users have values beyond these. Absent if none.' },
});

export type ValueCountsBody = FromSchema<typeof valueCounts>;
