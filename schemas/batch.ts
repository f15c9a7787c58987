import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { answer } from './answer.ts';
import { MAX_OPERATIONS } from './limits.ts';
import { userMergePatch } from './patches.ts';
import { user, userInput } from './user.ts';

/** The members that an operation needs and may have, besides `op`. `null` means that it has none. */
export const OPERATION_MEMBERS = {
  create: { needs: ['user'], takes: ['id'] },
  upsert: { needs: ['externalId', 'user'], takes: ['ifMatch'] },
  replace: { needs: ['id', 'user'], takes: ['ifMatch'] },
  patch: { needs: ['id', 'patch'], takes: ['ifMatch'] },
  delete: { needs: ['id'], takes: ['ifMatch'] },
} as const;

export type BatchOp = keyof typeof OPERATION_MEMBERS;

const BY_OP = Object.entries(OPERATION_MEMBERS)
  .map(([op, { needs, takes }]) => `\`${op}\` needs ${needs.join(' and ')}, and may have ${takes.join()}`)
  .join('; ');

/**
 * The members depend on `op`. Generators of clients make one class of it; a `oneOf` of five, or of the two forms of a patch, compiles in few
 * languages.
 */
export const batchOperation = {
  type: 'object',
  required: ['op'],
  additionalProperties: false,
  description: `${BY_OP}.`,
  properties: {
    op: { type: 'string', enum: ['create', 'upsert', 'replace', 'patch', 'delete'] satisfies BatchOp[] },
    id: { type: 'integer', format: 'int64', description: 'A new user gets it, as by a PUT with `If-None-Match: *`.' },
    externalId: { type: 'string', maxLength: userInput.properties.externalId.maxLength },
    user: userInput,
    patch: userMergePatch,
    ifMatch: { type: 'string', description: 'As the header `If-Match`.' },
  },
} as const satisfies JSONSchema;

export const batch = {
  type: 'object',
  required: ['operations'],
  properties: { operations: { type: 'array', maxItems: MAX_OPERATIONS, items: batchOperation } },
} as const satisfies JSONSchema;

/** The answer that a single request would have got. */
export const batchResult = answer(['status'], {
  status: { type: 'integer', format: 'int32', minimum: 200, maximum: 599 },
  id: user.properties.id,
  etag: { type: 'string', description: 'As the header `ETag`.' },
  user,
  ignored: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    description: 'Members of `user` or `patch` that no user has: nothing came of them.',
  },
  message: { type: 'string' },
  code: { type: 'string', description: 'The code of the error: the end of the `type` of a problem.' },
});

export const batchResults = answer(['results'], {
  results: { type: 'array', maxItems: MAX_OPERATIONS, items: batchResult },
});

export type BatchResult = FromSchema<typeof batchResult>;
