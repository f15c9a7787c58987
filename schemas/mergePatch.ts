import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Merge Patch of a user (RFC 7396). The patched user, not the patch, is validated field by field. */
export const mergePatch = { type: 'object' } as const satisfies JSONSchema;

export type MergePatch = FromSchema<typeof mergePatch>;
