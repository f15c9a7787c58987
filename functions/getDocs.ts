import { endpoint, noParameters } from '../lib/http/endpoint.ts';
import { HTML_TYPE } from '../lib/http/mediaTypes.ts';
import { basePathOf, okText } from '../lib/http/response/responses.ts';
import { DOCS_HEADERS, docsPage } from '../lib/openapi/viewer.ts';

export const handler = endpoint(
  noParameters,
  async (_, event) => okText(HTML_TYPE, docsPage(basePathOf(event)), DOCS_HEADERS),
  [HTML_TYPE],
);
