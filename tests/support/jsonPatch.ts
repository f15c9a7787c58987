import { applyOperation } from '../../lib/http/request/jsonPatch.ts';
import type { JsonPatchOperation } from '../../schemas/jsonPatch.ts';

/** Applies a JSON Patch to a copy of a document. */
export function apply(document: unknown, patch: readonly unknown[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of patch) applyOperation(root, operation as JsonPatchOperation);
  return root.document;
}
