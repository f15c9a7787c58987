import type { FromSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { user } from './user.ts';

/** Without a format, generated clients take 32 bits. */
const integer = { type: 'integer', format: 'int64' } as const;

/** One page of a listing: exactly these seven members. */
export const page = answer(['content', 'totalElements', 'totalPages', 'number', 'size', 'first', 'last'], {
  content: { type: 'array', items: user, maxItems: 100 },
  totalElements: { ...integer, minimum: 0 },
  totalPages: { ...integer, minimum: 0 },
  number: { ...integer, minimum: 0 },
  size: { ...integer, minimum: 1, maximum: 100 },
  first: { type: 'boolean' },
  last: { type: 'boolean' },
});

export type Page = FromSchema<typeof page>;
