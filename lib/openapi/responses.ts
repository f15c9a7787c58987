import { MAX_BATCH_BYTES, MAX_BODY_BYTES } from '../../schemas/limits.ts';
import { PROBLEMS } from '../http/problems.ts';
import { COLLECTION_TYPES } from '../http/response/collections.ts';
import { MEDIA, typeOf } from '../rest/index.ts';
import { errorExamples, exampleOf } from './examples.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { schemaRef } from './schemas.ts';

/** The content of one media type. */
export const media = (type: string, schema: object, example = exampleOf(type, schema)) => ({
  [type]: { schema, ...(example !== undefined && { example }) },
});

const withHeaders = (names: readonly HeaderName[]) => (names.length > 0 ? { headers: headerRefs(names) } : {});

/** Each answer of a function may have them. */
const ALWAYS: readonly HeaderName[] = ['Preference-Applied', 'Server-Timing'];

export const emptyResponse = (description: string, ...headers: HeaderName[]) => ({
  description,
  ...withHeaders([...headers, ...ALWAYS]),
});

export const jsonResponse = (description: string, schema: string | object, ...headers: HeaderName[]) => ({
  ...emptyResponse(description, ...headers),
  content: media(MEDIA.json, typeof schema === 'string' ? schemaRef(schema) : schema),
});

/** A list of users in each of its forms. No schema says what a line of text has. */
export function collectionResponse(description: string, schema: string | object, ...headers: HeaderName[]) {
  const response = jsonResponse(description, schema, ...headers);
  const lines = COLLECTION_TYPES.slice(1).map((type) => media(type, { type: 'string' }));
  return { ...response, content: Object.assign({}, response.content, ...lines) };
}

export const textResponse = (description: string, ...types: string[]) => ({
  ...emptyResponse(description),
  content: Object.assign({}, ...types.map((type) => media(type, { type: 'string' }))),
});

export const usersSchema = (maxItems?: number) => ({
  type: 'array',
  items: schemaRef('User'),
  ...(maxItems !== undefined && { maxItems }),
});

export const errorResponse = (status: number, description: string, ...headers: HeaderName[]) => ({
  ...emptyResponse(description, ...headers),
  content: {
    ...media(MEDIA.json, schemaRef('ErrorBody'), errorExamples(status).body),
    ...media(MEDIA.problem, schemaRef('Problem'), errorExamples(status).problem),
  },
});

/** An error that only API Gateway sends. Nothing says that it heeds `Accept` for its own responses. */
const gatewayResponse = (status: number, description: string, ...headers: HeaderName[]) => ({
  description,
  ...withHeaders(headers),
  content: media(MEDIA.json, schemaRef('ErrorBody'), errorExamples(status).body),
});

/** The error responses by status. They are the same for all operations. */
const ERRORS = {
  400: errorResponse(400, 'A parameter or the body is not valid; the message says why.'),
  401: errorResponse(401, 'Credentials are missing or not valid.', 'WWW-Authenticate'),
  403: errorResponse(403, 'The token lacks the scope that the operation needs.', 'WWW-Authenticate'),
  404: errorResponse(404, 'There is nothing with this id or name.'),
  406: errorResponse(406, 'None of the media types in `Accept` is available.'),
  409: errorResponse(
    409,
    'Another user has this value, an operation of the JSON Patch does not apply, or an edit cannot go on.',
  ),
  410: errorResponse(410, 'Changes after this place, or since this moment, are no longer kept.'),
  412: errorResponse(412, 'The user has changed: `If-Match` or `If-None-Match` does not hold.'),
  413: errorResponse(
    413,
    `The body is larger than ${MAX_BODY_BYTES / 1_024} KB, or a batch larger than ${MAX_BATCH_BYTES / 1_024} KB.`,
  ),
  415: errorResponse(
    415,
    'The body has a media type that is not supported, a `charset` other than UTF-8, or a `Content-Encoding`.',
  ),
  422: errorResponse(422, 'The `Idempotency-Key`, or the edit, stands for another request.'),
  429: gatewayResponse(429, 'Too many requests.', 'Retry-After'),
  500: errorResponse(500, 'A fault of the service.'),
  503: errorResponse(
    503,
    'The service is overloaded, cannot reach its database, or is being prepared for lists or for more users.',
    'Retry-After',
  ),
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** The meanings of the types of a problem with a status. */
const typesOf = (status: string): string[] =>
  Object.entries(PROBLEMS).flatMap(([code, problem]) =>
    String(problem.status) === status ? [`- \`${typeOf(code)}\`: ${problem.meaning}.`] : [],
  );

/** The named responses, `Error400` and so on. */
export const ERROR_RESPONSES = Object.fromEntries(
  Object.entries(ERRORS).map(([status, response]) => [
    `Error${status}`,
    { ...response, description: [response.description, '', ...typesOf(status)].join('\n').trim() },
  ]),
);

export const errorRefs = (statuses: readonly ErrorStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
