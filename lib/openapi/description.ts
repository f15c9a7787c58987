import type { Parameters, Query } from '../http/parameters/parameter.ts';
import type { HeaderName } from './headers.ts';
import type { HEADER_PARAMETERS, PATH_PARAMETERS } from './parameters.ts';
import {
  collectionResponse,
  type ErrorStatus,
  emptyResponse,
  errorResponse,
  jsonResponse,
  textResponse,
} from './responses.ts';
import type { OwnSchema } from './schemas.ts';

export { emptyResponse, errorResponse, jsonResponse, textResponse, usersSchema } from './responses.ts';

/** The words of the document about an endpoint. A function makes them, so that no bundle but that of the document has them. */
export interface OperationDescription {
  summary: string;
  description?: string;
  /** The parameter in its path, if its name alone does not say which. */
  path?: keyof typeof PATH_PARAMETERS;
  /** Its parameters alone where much would come with what reads them. */
  query?: Query | Parameters;
  /** The header fields that it heeds. */
  headers?: readonly (keyof typeof HEADER_PARAMETERS)[];
  /** The schema of the body: of JSON, or schemas by media type, the usual one first. */
  body?: string | Readonly<Record<string, string>>;
  isBodyOptional?: true;
  /** Schemas that the document has for it alone, by their names there: all objects in them, too. */
  schemas?: Readonly<Record<string, OwnSchema>>;
  /** Its own responses by status. */
  responses: Readonly<Record<number, object>>;
  /** The errors that it can have in addition to the errors of every operation. */
  errors?: readonly ErrorStatus[];
}

export const unchanged = () => emptyResponse('No user has changed since.', 'ETag of collections');

/** The responses of a collection: the users, or 304. */
export const collection = (description: string, schema: string | object, ...headers: HeaderName[]) => ({
  200: collectionResponse(description, schema, 'ETag of collections', 'Advice', ...headers),
  304: unchanged(),
});

export const pageOfUsers = () => collection('One page.', 'UserPage', 'X-Total-Count', 'Link');

export const oneUser = (description: string, ...headers: HeaderName[]) =>
  jsonResponse(description, 'User', 'ETag', ...headers);

export const writtenUser = () => oneUser('The user as it is now.', 'Ignored-Members');

export const newUser = (...headers: HeaderName[]) =>
  oneUser('The new user.', 'Ignored-Members', 'Location', ...headers);

export const replacedOrCreated = () => ({ 200: writtenUser(), 201: newUser() });

/** The responses of what works on many users. */
export const editAnswers = (conflict: string) => ({
  200: jsonResponse('The result, or the preview.', 'EditAnswer'),
  409: errorResponse(409, conflict, 'Retry-After of edits'),
});

export const fileOfPage = () => ({ 200: textResponse('The file.', 'text/css', 'text/javascript', 'text/plain') });
