import { applyOperation } from '../../lib/http/request/jsonPatch.ts';
import type { JsonPatchOperation } from '../../schemas/jsonPatch.ts';

/** A document after a JSON Patch. */
export function apply(document: unknown, patch: readonly unknown[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of patch) applyOperation(root, operation as JsonPatchOperation);
  return root.document;
}
