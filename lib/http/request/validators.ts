import { _, Ajv, type SchemaObject, type ValidateFunction } from 'ajv';
import { type EditRequest, editRequest, type UndoRequest, undoInput } from '../../../schemas/edits.ts';
import { type JsonPatch, jsonPatch, type MergePatch, mergePatch } from '../../../schemas/patches.ts';
import { type UserInput, userInput } from '../../../schemas/user.ts';
import * as formats from './formats.ts';

/**
 * Compiling takes longer than the rest of a cold start, so tools/deploy/validators.ts compiles these validators when a
 * function is bundled, and replaces this module with their code. Export only validators and `ajv` here.
 */
export const ajv = new Ajv({
  allErrors: true,
  discriminator: true,
  allowUnionTypes: true,
  verbose: true,
  // Tells generators of clients how many bits an integer needs. Its bounds are what is checked.
  formats: { ...formats, int64: true },
  code: { source: true, esm: true, formats: _`formats` },
});

/** The overloads tie each schema to its type: ajv itself accepts any type. */
function compile(schema: typeof userInput): ValidateFunction<UserInput>;
// Before the one that it conforms to.
function compile(schema: typeof editRequest): ValidateFunction<EditRequest>;
function compile(schema: typeof undoInput): ValidateFunction<UndoRequest>;
function compile(schema: typeof mergePatch): ValidateFunction<MergePatch>;
function compile(schema: typeof jsonPatch): ValidateFunction<JsonPatch>;
function compile(schema: SchemaObject): ValidateFunction {
  return ajv.compile(schema);
}

export const isUserInput = compile(userInput);
export const isMergePatch = compile(mergePatch);
/** Only the errors of the alternative that `op` means. The document has no such member: generators of clients take its values for names of schemas. */
const operation = { ...jsonPatch.items, type: 'object', discriminator: { propertyName: 'op' } } as const;
export const isJsonPatch = compile({ ...jsonPatch, items: operation });
export const isEditInput = compile(editRequest);
export const isUndoInput = compile(undoInput);
