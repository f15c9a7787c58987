import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** RFC 6901. */
const pointer = { type: 'string', maxLength: 1_000, pattern: '^(/([^~/]|~[01])*)*$' } as const;

const operation = (ops: readonly string[], ...required: string[]) =>
  ({
    type: 'object',
    properties: { op: { type: 'string', enum: ops }, path: pointer, from: pointer, value: {} },
    required: ['op', 'path', ...required],
  }) as const;

/** A JSON Patch (RFC 6902). */
export const jsonPatch = {
  type: 'array',
  maxItems: 100,
  items: {
    oneOf: [operation(['add', 'replace', 'test'], 'value'), operation(['remove']), operation(['move', 'copy'], 'from')],
  },
} as const satisfies JSONSchema;

/** One operation. `op` decides which members it has. */
export interface JsonPatchOperation {
  op: 'add' | 'replace' | 'test' | 'remove' | 'move' | 'copy';
  path: string;
  from: string;
  value: unknown;
}

export type JsonPatch = FromSchema<typeof jsonPatch> & JsonPatchOperation[];
