import { endpoint } from '../lib/http/api.ts';
import { DOCS_HEADERS, docsPage } from '../lib/openapi/viewer.ts';
import { basePathOf, MEDIA, nothing, okText } from '../lib/rest/index.ts';

export const handler = endpoint(
  nothing,
  async (_, event) => okText(MEDIA.html, docsPage(basePathOf(event)), DOCS_HEADERS),
  [MEDIA.html],
);
