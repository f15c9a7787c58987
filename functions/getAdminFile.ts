import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PAGE_FILES } from '../admin/files.ts';
import { endpoint } from '../lib/http/api.ts';
import { okText, pathNotFound } from '../lib/rest/index.ts';

/** The name of a file changes with its content. */
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };

function readFile({ path, pathParameters }: APIGatewayProxyEvent) {
  const name = pathParameters?.file ?? '';
  const file = Object.hasOwn(PAGE_FILES, name) ? PAGE_FILES[name] : undefined;
  if (!file) throw pathNotFound(path);
  return file;
}

export const handler = endpoint(readFile, async ({ type, content }) => okText(type, content, FOR_EVER), [
  'text/javascript',
  'text/css',
  'text/plain',
]);
