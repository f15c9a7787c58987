/** The two forms of a patch of a user. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { userInput } from './user.ts';

/** A JSON Merge Patch of a user (RFC 7396). The patched user's fields are validated, not the patch's. */
export const mergePatch = { type: 'object' } as const satisfies JSONSchema;

/** For clients, who see in it which members a patch can have. */
export const userMergePatch = { ...mergePatch, properties: userInput.properties } as const satisfies JSONSchema;

export type MergePatch = FromSchema<typeof mergePatch>;

/** RFC 6901. */
const pointer = { type: 'string', maxLength: 1_000, pattern: '^(/([^~/]|~[01])*)*$' } as const;

const MEMBERS = { from: pointer, value: {} } as const;

/** Members that an operation does not have are ignored (RFC 6902, section 4), so they may be anything. */
const operation = (ops: readonly string[], ...members: (keyof typeof MEMBERS)[]) =>
  ({
    type: 'object',
    properties: {
      op: { type: 'string', enum: ops },
      path: pointer,
      ...Object.fromEntries(members.map((name) => [name, MEMBERS[name]])),
    },
    required: ['op', 'path', ...members],
  }) as const;

/** The operations by what they need. */
export const withValue = operation(['add', 'replace', 'test'], 'value');
export const alone = operation(['remove']);
export const withFrom = operation(['move', 'copy'], 'from');
export const jsonPatchOperation = { oneOf: [withValue, alone, withFrom] } as const;

/** A JSON Patch (RFC 6902). */
export const jsonPatch = {
  type: 'array',
  maxItems: 100,
  items: jsonPatchOperation,
} as const satisfies JSONSchema;

/** One operation. `op` decides which members it has. */
export interface JsonPatchOperation {
  op: 'add' | 'replace' | 'test' | 'remove' | 'move' | 'copy';
  path: string;
  from: string;
  value: unknown;
}

export type JsonPatch = FromSchema<typeof jsonPatch> & JsonPatchOperation[];
