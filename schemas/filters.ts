import type { JSONSchema } from 'json-schema-to-ts';
import { MAX_ATTRIBUTE_TEXT, MAX_EMAIL_OCTETS, MAX_EXTERNAL_ID, MAX_LABEL, MAX_TEXT, PRINTABLE } from './limits.ts';

const value = (maxLength: number, format: 'text' | 'label' | 'mailbox' | 'externalId' | 'attribute') =>
  ({ type: 'string', maxLength, pattern: PRINTABLE, format, description: 'No control characters.' }) as const;

const label = value(MAX_LABEL, 'label');
const text = value(MAX_TEXT, 'text');

/** A value of a filter, by the property that it is about; `any` is for words. They have the length limits of the fields. */
export const filterValues = {
  id: { type: 'string', format: 'integer' },
  name: text,
  email: value(MAX_EMAIL_OCTETS, 'mailbox'),
  age: { type: 'string', format: 'integer' },
  firstName: text,
  lastName: text,
  status: label,
  country: label,
  externalId: value(MAX_EXTERNAL_ID, 'externalId'),
  createdAt: { type: 'string', format: 'moment' },
  any: text,
} as const satisfies Record<string, JSONSchema>;

/** The value of a filter of an attribute, and a bound of one. */
export const attributeValue = value(MAX_ATTRIBUTE_TEXT, 'attribute');
export const attributeBound = { type: 'string', format: 'number' } as const satisfies JSONSchema;

/** The value of a filter that ends in `missing`. */
export const flag = { type: 'string', format: 'flag' } as const satisfies JSONSchema;
