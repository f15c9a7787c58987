import { openApiDocument } from '../lib/openapi/document.ts';
import { endpoint, noParameters } from '../lib/rest/endpoint.ts';
import { basePathOf, ok } from '../lib/rest/responses.ts';
import { isProtected } from '../lib/rest/tokens/settings.ts';

export const handler = endpoint(noParameters, async (_, event) =>
  ok(openApiDocument({ server: basePathOf(event) || '/', isProtected: isProtected() })),
);
