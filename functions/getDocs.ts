import { endpoint } from '../lib/http/endpoint.ts';
import { HTML_TYPE } from '../lib/http/mediaTypes.ts';
import { okText } from '../lib/http/responses.ts';
import { DOCS_HEADERS, DOCS_PAGE } from '../lib/openapi/viewer.ts';

export const handler = endpoint(async () => okText(HTML_TYPE, DOCS_PAGE, DOCS_HEADERS), [HTML_TYPE]);
