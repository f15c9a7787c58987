import { isProtected } from '../lib/auth/settings.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { ok } from '../lib/http/responses.ts';
import { openApiDocument } from '../lib/openapi/document.ts';

const PATH = /\/api\/openapi\.json$/;

export const handler = endpoint(async ({ requestContext }) =>
  ok(openApiDocument({ server: requestContext.path.replace(PATH, '') || '/', isProtected: isProtected() })),
);
