import { DOCS_HEADERS, docsPage } from '../lib/openapi/viewer.ts';
import { endpoint, noParameters } from '../lib/rest/endpoint.ts';
import { HTML_TYPE } from '../lib/rest/mediaTypes.ts';
import { basePathOf, okText } from '../lib/rest/responses.ts';

export const handler = endpoint(
  noParameters,
  async (_, event) => okText(HTML_TYPE, docsPage(basePathOf(event)), DOCS_HEADERS),
  [HTML_TYPE],
);
