import { batch, batchOperation, batchResult, batchResults } from '../../schemas/batch.ts';
import { change, feed, userChange, userFields } from '../../schemas/changes.ts';
import { valueCount, valueCounts } from '../../schemas/counts.ts';
import {
  attributeLists,
  editAnswer,
  editExample,
  editFailure,
  editInput,
  editLists,
  editPatch,
  editState,
  editUnits,
  undoInput,
} from '../../schemas/edits.ts';
import { error, failure, problem } from '../../schemas/error.ts';
import { page } from '../../schemas/page.ts';
import { alone, jsonPatch, jsonPatchOperation, userMergePatch, withFrom, withValue } from '../../schemas/patches.ts';
import { attributes, attributesInput, describedInput, user, userInput } from '../../schemas/user.ts';
import { attributeFilters } from '../http/parameters/filters.ts';
import { moment } from '../http/parameters/moments.ts';

/**
 * The schemas by name. Requests are validated with them, and types are derived from them. Each object has a name: a generator of
 * clients invents one for what has none. No name is a word of a language.
 */
export const SCHEMAS = {
  User: user,
  UserInput: userInput,
  Attributes: attributes,
  AttributesInput: { ...attributesInput, additionalProperties: describedInput },
  // The patched user is validated, not the patch, so the document gives a patch the members of a user.
  UserMergePatch: userMergePatch,
  JsonPatch: jsonPatch,
  JsonPatchOperation: jsonPatchOperation,
  JsonPatchWithValue: withValue,
  JsonPatchRemove: alone,
  JsonPatchWithFrom: withFrom,
  Batch: batch,
  BatchOperation: batchOperation,
  BatchResult: batchResult,
  BatchResults: batchResults,
  EditInput: editInput,
  UndoInput: undoInput,
  EditPatch: editPatch,
  EditLists: editLists,
  AttributeLists: attributeLists,
  EditAnswer: editAnswer,
  EditExample: editExample,
  EditUnits: editUnits,
  EditState: editState,
  EditFailure: editFailure,
  UserPage: page,
  ValueCount: valueCount,
  ValueCounts: valueCounts,
  Change: change,
  UserChange: userChange,
  UserFields: userFields,
  ChangePage: feed,
  ErrorBody: error,
  Problem: problem,
  ValidationFailure: failure,
  Moment: moment,
  AttributeFilters: attributeFilters,
  OpenApiDocument: { type: 'object', additionalProperties: true },
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** A schema that only one endpoint has, with an example of it. */
export interface OwnSchema {
  schema: object;
  example: unknown;
}

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const NAMES = new Map<unknown, string>([
  ...Object.entries(SCHEMAS).map(([name, schema]) => [schema, name as SchemaName] as const),
  [attributesInput, 'AttributesInput'],
]);

/** A schema with references in place of the named schemas orReference it. */
export function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(orReference);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, orReference(value)]));
}

/** The same, or a reference if the schema itself has a name. */
export function orReference(value: unknown): unknown {
  const name = NAMES.get(value);
  return name === undefined ? withReferences(value) : schemaRef(name);
}

/** Schemas of one endpoint, with references like the others. */
export function withNames(schemas: Readonly<Record<string, OwnSchema>>): Record<string, unknown> {
  const all = Object.entries(schemas);
  for (const [name, { schema }] of all) NAMES.set(schema, name);
  return Object.fromEntries(all.map(([name, { schema }]) => [name, withReferences(schema)]));
}
