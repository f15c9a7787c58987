import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { type Operation, ROUTES } from '../../lib/http/routes.ts';
import { anyText } from './arbitraries.ts';
import { body, HEADERS, METHODS, PARAMETERS, TEXTS } from './hostile.ts';

/** Events that anybody who may invoke a function can send: API Gateway, its console, the local gateway, a person. */

type Members = Partial<Record<keyof APIGatewayProxyEvent, unknown>>;

export interface HostileEvent {
  operation: Operation | 'unknownRoute';
  event: Members;
  /** Whether API Gateway never sends such an event. */
  isMisshapen: boolean;
}

const text = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 3 },
  anyText(12),
  fc.constantFrom(
    ...['0', '1', '7', '-1', '20', '100', '101', 'name', 'name,desc', 'id,asc', 'x,y', 'on', 'DE', 'ab'],
    '99999999999999999999',
  ),
);

const NAMES = ['Accept', 'content-type', 'If-Match', 'if-none-match', 'Idempotency-Key', 'Origin', '__proto__'];
const TYPES = ['application/json', 'application/merge-patch+json', 'application/json-patch+json', 'text/csv', 'x'];

const headerValue = fc.oneof(
  { arbitrary: fc.constantFrom(...TYPES, '*/*', 'application/problem+json', '"1"', '*'), weight: 4 },
  text,
  fc.constantFrom<unknown>(null, undefined),
);

const header = fc.oneof(
  { arbitrary: fc.tuple(fc.constantFrom(...NAMES), headerValue), weight: 4 },
  fc.constantFrom(...HEADERS).map((line): [string, unknown] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  }),
);

const headers = fc.oneof(
  { arbitrary: fc.array(header, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)), weight: 9 },
  fc.constantFrom(null, undefined, {}),
);

const parameters = fc.oneof(
  {
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...PARAMETERS), fc.array(text, { minLength: 1, maxLength: 2 })), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs)),
    weight: 9,
  },
  fc.constantFrom<unknown>(null, undefined, {}, { page: null }, { sort: [] }),
);

const path = (ids: readonly number[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...ids).map((id) => ({ id: String(id) })), weight: 6 },
    text.map((id) => ({ id, file: id, proxy: id })),
    fc.constantFrom(null, undefined, {}, { file: 'start.js' }, { file: '../package.json' }),
  );

const content = fc.oneof(
  { arbitrary: body.map((given) => ({ body: given, isBase64Encoded: false })), weight: 6 },
  body.map((given) => ({ body: Buffer.from(given).toString('base64'), isBase64Encoded: true })),
  text.map((given) => ({ body: given, isBase64Encoded: true })),
  fc.constantFrom<Members>({ body: null }, {}, { body: false }, { body: 0 }, { body: '', isBase64Encoded: true }),
);

const requestContext = fc.oneof(
  { arbitrary: fc.constantFrom({ path: '/api/users' }, { path: '/prod/api/users/' }), weight: 6 },
  fc.constantFrom<unknown>(null, undefined, {}, { authorizer: null }, { authorizer: { principalId: 5 } }),
  text.map((given) => ({ path: given, authorizer: { principalId: given, expires: given } })),
  fc.constantFrom({ authorizer: { expires: '99999999999', principalId: 'ann' } }, { authorizer: { expires: 1 } }),
);

const wellShaped = (ids: readonly number[]): fc.Arbitrary<Members> =>
  fc
    .record({
      headers,
      multiValueQueryStringParameters: parameters,
      pathParameters: path(ids),
      content,
      requestContext,
      path: fc.constantFrom<unknown>('/api/users', '/', '//x', null, undefined),
    })
    .map(({ content, ...event }) => ({ multiValueHeaders: null, queryStringParameters: null, ...event, ...content }));

const anything = fc.oneof(fc.constantFrom<unknown>(null, undefined, 0, 1, true, [], {}, [[]]), text);

const member = fc.constantFrom<keyof APIGatewayProxyEvent>(
  ...(['headers', 'multiValueQueryStringParameters', 'pathParameters', 'requestContext', 'path'] as const),
  ...(['body', 'isBase64Encoded'] as const),
);

/** An event of API Gateway, or one with a member of a wrong type. */
const anyEvent = (ids: readonly number[]) =>
  fc.oneof(
    { arbitrary: wellShaped(ids).map((event) => ({ event, isMisshapen: false })), weight: 8 },
    fc
      .tuple(wellShaped(ids), member, anything)
      .map(([event, name, value]) => ({ event: { ...event, [name]: value }, isMisshapen: true })),
  );

const operation = fc.oneof(
  { arbitrary: fc.constantFrom(...ROUTES), weight: 12 },
  fc.constant({ operation: 'unknownRoute' as const, method: undefined, scopes: [] }),
);

export const hostileEvent = (ids: readonly number[]): fc.Arbitrary<HostileEvent> =>
  fc
    .tuple(operation, anyEvent(ids), fc.constantFrom(...METHODS), fc.boolean())
    .map(([{ operation, method, scopes }, { event, isMisshapen }, other, isHead]) => ({
      operation,
      isMisshapen,
      event: {
        resource: operation === 'unknownRoute' ? '/{proxy+}' : '/api/users',
        ...event,
        // Routes without a token have no authorizer. A known route never reaches the catch-all.
        ...(scopes.length === 0 && { requestContext: { path: '/api/x' }, path: '/x' }),
        httpMethod: method === 'GET' && isHead ? 'HEAD' : (method ?? other),
      },
    }));
