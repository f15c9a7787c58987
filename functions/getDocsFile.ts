import { ServiceError } from '../lib/errors.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { okText } from '../lib/http/response/responses.ts';
import { DOCS_FILE_TYPES, docsFile } from '../lib/openapi/viewer.ts';

const DAY = { 'cache-control': 'public, max-age=86400' };

export const handler = endpoint(async ({ path, pathParameters }) => {
  const file = docsFile(pathParameters?.file ?? '');
  if (!file) throw new ServiceError(404, `Path not found: ${path}`);
  return okText(file.type, file.content, DAY);
}, DOCS_FILE_TYPES);
