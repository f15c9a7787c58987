import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PAGE_FILES } from '../admin/files.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { fileOfPage } from '../lib/openapi/description.ts';
import { okText, pathNotFound } from '../lib/rest/index.ts';

export const route: EndpointRoute = {
  at: 'GET /api/admin/{file}',
  scopes: [],
  permissions: [],
  // Only the page knows the names of its files.
  examples: [{ file: '{style}' }],
};

export const about = (): OperationDescription => ({
  summary: 'A file of that page',
  description: 'Its name changes with its content, so it may be kept for a year.',
  path: 'AdminFile',
  responses: fileOfPage(),
  errors: [404],
});

/** The name of a file changes with its content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

function readFile({ path, pathParameters }: APIGatewayProxyEvent) {
  const name = pathParameters?.file ?? '';
  const file = Object.hasOwn(PAGE_FILES, name) ? PAGE_FILES[name] : undefined;
  if (!file) throw pathNotFound(path);
  return file;
}

export const handler = /* @__PURE__ */ endpoint(
  readFile,
  async ({ type, content }) => okText(type, content, FOR_EVER),
  ['text/javascript', 'text/css', 'text/plain'],
);
