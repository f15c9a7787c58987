import { endpoint } from '../lib/http/api.ts';
import { DOCS_HEADERS, docsPage } from '../lib/openapi/viewer.ts';
import { basePathOf, HTML_TYPE, nothing, okText } from '../lib/rest/index.ts';

export const handler = endpoint(
  nothing,
  async (_, event) => okText(HTML_TYPE, docsPage(basePathOf(event)), DOCS_HEADERS),
  [HTML_TYPE],
);
