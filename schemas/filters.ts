import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { MAX_EMAIL_OCTETS, MAX_LABEL, MAX_TEXT, PRINTABLE } from './limits.ts';

const value = (maxLength: number, format: 'text' | 'label' | 'mailbox') =>
  ({ type: 'string', maxLength, pattern: PRINTABLE, format, description: 'No control characters.' }) as const;

const label = value(MAX_LABEL, 'label');
const text = value(MAX_TEXT, 'text');
const mailbox = value(MAX_EMAIL_OCTETS, 'mailbox');
const integer = { type: 'string', format: 'integer' } as const;
const flag = { type: 'string', format: 'flag' } as const;
const moment = { type: 'string', format: 'moment' } as const;

/** The filters of a listing, each with one value. They have the length limits of the fields. An empty filter is not applied. */
export const filters = {
  type: 'object',
  properties: {
    id: integer,
    name: text,
    'name.startsWith': text,
    email: mailbox,
    'email.startsWith': mailbox,
    'email.missing': flag,
    age: integer,
    'age.gte': integer,
    'age.gt': integer,
    'age.lte': integer,
    'age.lt': integer,
    'age.missing': flag,
    firstName: text,
    'firstName.startsWith': text,
    'firstName.missing': flag,
    lastName: text,
    'lastName.startsWith': text,
    'lastName.missing': flag,
    status: label,
    'status.missing': flag,
    country: label,
    'country.missing': flag,
    'createdAt.gte': moment,
    'createdAt.gt': moment,
    'createdAt.lte': moment,
    'createdAt.lt': moment,
    keyword: text,
  },
  additionalProperties: false,
} as const satisfies JSONSchema;

export type FilterParameters = FromSchema<typeof filters>;
