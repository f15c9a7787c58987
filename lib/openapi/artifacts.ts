import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { openApiDocument } from './document.ts';

/** The generated files that are kept in the repository: content by path. */
export async function artifacts(): Promise<Record<string, string>> {
  const json = JSON.stringify(openApiDocument({ server: '/', isProtected: true }), null, 2);
  const types = astToString(await openapiTS(json));
  return { 'docs/openapi.json': `${json}\n`, 'docs/openapi.d.ts': `${COMMENT_HEADER}${types}` };
}
