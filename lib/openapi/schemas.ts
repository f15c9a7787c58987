import { change, feed, userChange } from '../../schemas/changes.ts';
import { error, problem } from '../../schemas/error.ts';
import { jsonPatch } from '../../schemas/jsonPatch.ts';
import { mergePatch } from '../../schemas/mergePatch.ts';
import { page } from '../../schemas/page.ts';
import { user, userInput } from '../../schemas/user.ts';

/** The schemas by name. Requests are validated with them, and types are derived from them. */
export const SCHEMAS = {
  User: user,
  UserInput: userInput,
  // The patched user is validated, not the patch, so the document gives a patch the members of a user.
  UserMergePatch: { ...mergePatch, properties: userInput.properties },
  JsonPatch: jsonPatch,
  UserPage: page,
  Change: change,
  UserChange: userChange,
  ChangePage: feed,
  Error: error,
  Problem: problem,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

export const schemaRef = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

const NAMES = new Map<unknown, SchemaName>(
  Object.entries(SCHEMAS).map(([name, schema]) => [schema, name as SchemaName]),
);

/** A schema with references in place of the named schemas inside it. */
export function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inside);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value)]));
}

function inside(value: unknown): unknown {
  const name = NAMES.get(value);
  return name === undefined ? withReferences(value) : schemaRef(name);
}
