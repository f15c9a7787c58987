import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { userInput } from './user.ts';

/** A JSON Merge Patch of a user (RFC 7396). The patched user's fields are validated, not the patch's. */
export const mergePatch = { type: 'object' } as const satisfies JSONSchema;

/** For clients, who see in it which members a patch can have. */
export const userMergePatch = { ...mergePatch, properties: userInput.properties } as const satisfies JSONSchema;

export type MergePatch = FromSchema<typeof mergePatch>;
