import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { openApiDocument } from '../../lib/openapi/document.ts';

/** The OpenAPI document of a stage that needs tokens, as docs/openapi.json has it. */
export const documentText = (): string =>
  `${JSON.stringify(openApiDocument({ server: '/', isProtected: true }), null, 2)}\n`;

/** The types of that document. */
export const typesText = async (): Promise<string> =>
  `${COMMENT_HEADER}${astToString(await openapiTS(documentText()))}`;
