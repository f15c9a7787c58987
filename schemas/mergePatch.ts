import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Merge Patch of a user (RFC 7396). The patched user's fields are validated, not the patch's. */
export const mergePatch = { type: 'object' } as const satisfies JSONSchema;

export type MergePatch = FromSchema<typeof mergePatch>;
