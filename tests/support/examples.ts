import { PAGE_NAMES } from '../../admin/files.ts';
import type { Operation } from '../../lib/http/routes.ts';
import { ENDPOINTS, type Made, requestOf } from '../../tools/samples/endpoints.ts';

/** A user and an edit that are not there. */
const NOBODY: Made = { idOf: () => '7', etag: '*', edit: '0123456789abcdef', style: PAGE_NAMES.style };

interface Sent {
  path: string;
  query: string;
  headers: Record<string, string>;
  json?: object;
}

/** The examples of an endpoint, as its file in functions/ has them. */
export function examplesFor(operation: Operation, made: Partial<Made> = {}): Sent[] {
  const endpoint = ENDPOINTS.find(({ name }) => name === operation);
  if (!endpoint) throw new Error(`No file of functions/ has the endpoint ${operation}`);
  return endpoint.examples.map((example) => {
    const { path, headers, body } = requestOf(endpoint, example, { ...NOBODY, ...made });
    const [, query = ''] = path.split('?');
    return { path, query, headers, ...(body !== undefined && { json: JSON.parse(body) as object }) };
  });
}

/** The first of them. */
export const exampleFor = (operation: Operation): Sent =>
  examplesFor(operation)[0] ?? { path: '', query: '', headers: {} };
