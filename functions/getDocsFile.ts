import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { fileOfPage } from '../lib/openapi/description.ts';
import { DOCS_FILE_TYPES, docsFile } from '../lib/openapi/viewer.ts';
import { okText, pathNotFound } from '../lib/rest/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/docs/{file}',
  scopes: [],
  permissions: [],
  settings: {
    package: {
      patterns: [
        'node_modules/swagger-ui-dist/{LICENSE,NOTICE,swagger-ui.css,swagger-ui-bundle.js,swagger-ui-bundle.js.LICENSE.txt}',
      ],
    },
  },
  examples: [{ title: 'A file of the documentation page', file: 'swagger-ui.css' }],
};

export const about = (): OperationDescription => ({
  summary: 'A file of that page',
  path: 'File',
  responses: fileOfPage(),
  errors: [404],
});

const DAY = { 'cache-control': 'public, max-age=86400' };

function readFile({ path, pathParameters }: APIGatewayProxyEvent) {
  const file = docsFile(pathParameters?.file ?? '');
  if (!file) throw pathNotFound(path);
  return file;
}

export const handler = /* @__PURE__ */ endpoint(
  readFile,
  async ({ type, content }) => okText(type, content, DAY),
  DOCS_FILE_TYPES,
);
