import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { textResponse } from '../lib/openapi/description.ts';
import { DOCS_HEADERS, docsPage } from '../lib/openapi/viewer.ts';
import { basePathOf, MEDIA, nothing, okText } from '../lib/rest/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/docs',
  scopes: [],
  permissions: [],
  elsewhere: 'docs documentation openapi swagger apidocs swaggerui redoc schema schemas',
  there: '/api/docs shows the API, and /api/openapi.json describes it',
  examples: [{ title: 'The documentation page' }],
};

export const about = (): OperationDescription => ({
  summary: 'A page to read and try the API',
  responses: { 200: textResponse('The page.', 'text/html') },
});

export const handler = /* @__PURE__ */ endpoint(
  nothing,
  async (_, event) => okText(MEDIA.html, docsPage(basePathOf(event)), DOCS_HEADERS),
  ['text/html'],
);
