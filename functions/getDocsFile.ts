import type { APIGatewayProxyEvent } from 'aws-lambda';
import { endpoint } from '../lib/http/api.ts';
import { DOCS_FILE_TYPES, docsFile } from '../lib/openapi/viewer.ts';
import { okText, pathNotFound } from '../lib/rest/index.ts';

const DAY = { 'cache-control': 'public, max-age=86400' };

function readFile({ path, pathParameters }: APIGatewayProxyEvent) {
  const file = docsFile(pathParameters?.file ?? '');
  if (!file) throw pathNotFound(path);
  return file;
}

export const handler = endpoint(readFile, async ({ type, content }) => okText(type, content, DAY), DOCS_FILE_TYPES);
