import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { MAX_EMAIL_OCTETS, MAX_LABEL, MAX_TEXT } from './limits.ts';
import { PRINTABLE } from './patterns.ts';

const value = (maxLength: number, format: 'text' | 'label' | 'mailbox') =>
  ({ type: 'string', maxLength, pattern: PRINTABLE, format, description: 'No control characters.' }) as const;

const label = value(MAX_LABEL, 'label');

/** The filters of a listing. They have the length limits of the fields. An empty filter is not applied. */
export const filters = {
  type: 'object',
  properties: {
    status: label,
    country: label,
    email: value(MAX_EMAIL_OCTETS, 'mailbox'),
    keyword: value(MAX_TEXT, 'text'),
  },
  additionalProperties: false,
} as const satisfies JSONSchema;

export type FilterParameters = FromSchema<typeof filters>;
