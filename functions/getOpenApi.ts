import { endpoint } from '../lib/http/api.ts';
import type { EndpointRoute } from '../lib/http/endpoint.ts';
import type { OperationDescription } from '../lib/openapi/description.ts';
import { openApiDocument } from '../lib/openapi/document.ts';
import { jsonResponse } from '../lib/openapi/responses.ts';
import { basePathOf, nothing, ok } from '../lib/rest/index.ts';
import { isProtected } from '../lib/rest/tokens/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/openapi.json',
  scopes: [],
  permissions: [],
  examples: [{ title: 'The OpenAPI document' }],
};

export function about(): OperationDescription {
  return {
    summary: 'This document',
    responses: { 200: jsonResponse('OpenAPI 3.1.', 'OpenApiDocument') },
  };
}

export const handler = /* @__PURE__ */ endpoint(nothing, async (_, event) =>
  ok(openApiDocument({ server: basePathOf(event) || '/', isProtected: isProtected() })),
);
