import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Merge Patch of a user (RFC 7396). The fields of the patched user are validated, not those of the patch. */
export const mergePatch = { type: 'object' } as const satisfies JSONSchema;

export type MergePatch = FromSchema<typeof mergePatch>;
