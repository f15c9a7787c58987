import { endpoint } from '../lib/http/api.ts';
import { openApiDocument } from '../lib/openapi/document.ts';
import { basePathOf, nothing, ok } from '../lib/rest/index.ts';
import { isProtected } from '../lib/rest/tokens/index.ts';

export const handler = endpoint(nothing, async (_, event) =>
  ok(openApiDocument({ server: basePathOf(event) || '/', isProtected: isProtected() })),
);
