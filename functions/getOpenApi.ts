import { isProtected } from '../lib/auth/settings.ts';
import { endpoint, noParameters } from '../lib/http/endpoint.ts';
import { basePathOf, ok } from '../lib/http/response/responses.ts';
import { openApiDocument } from '../lib/openapi/document.ts';

export const handler = endpoint(noParameters, async (_, event) =>
  ok(openApiDocument({ server: basePathOf(event) || '/', isProtected: isProtected() })),
);
