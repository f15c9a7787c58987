import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { jsonResponse } from '../lib/openapi/description.ts';
import { openApiDocument } from '../lib/openapi/document.ts';
import { basePathOf, nothing, ok } from '../lib/rest/index.ts';
import { isProtected } from '../lib/rest/tokens/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/openapi.json',
  scopes: [],
  permissions: [],
  examples: [{ title: 'The OpenAPI document' }],
};

/** It is there before its own module has run: the document, which has it, is loaded first. */
export function about(): OperationDescription {
  return {
    summary: 'This document',
    responses: { 200: jsonResponse('OpenAPI 3.1.', 'OpenApiDocument') },
  };
}

export const handler = /* @__PURE__ */ endpoint(nothing, async (_, event) =>
  ok(openApiDocument({ server: basePathOf(event) || '/', isProtected: isProtected() })),
);
