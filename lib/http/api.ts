/** The makers of handlers, and the types of all else that the file of an endpoint has. */
import { type Api, createEndpoint, createEndpointWithBody, createStreamingEndpoint } from '../rest/index.ts';
import { helpAt, hintAt } from './hints.ts';
import { ROUTES } from './routes.ts';

export type { OperationDescription } from '../openapi/description.ts';
export type { EndpointRoute } from './endpoint.ts';

/** The version of package.json, which would bring all of itself into each bundle. */
export const VERSION = '3.2.0';

/** In which CloudWatch shows the metrics. */
export const NAMESPACE = 'UserManagement';

/** The API of this service, for the stack of every endpoint. Nothing here is computed, so that bundlers leave it out of functions without one. */
export const API: Api = {
  product: 'user-management',
  version: VERSION,
  namespace: NAMESPACE,
  routes: ROUTES,
  // A user's past is for those who may see changes.
  scopesBeside: ({ operation }, { multiValueQueryStringParameters }) =>
    operation === 'getUser' && multiValueQueryStringParameters?.at?.some((at) => at.trim() !== '')
      ? ['users:audit']
      : [],
  hintAt,
  helpAt,
};

/** The makers of its handlers. Bundlers leave out those that a function does not use: hence the marks. */
export const endpoint = /* @__PURE__ */ createEndpoint(API);
export const endpointWithBody = /* @__PURE__ */ createEndpointWithBody(API);
export const streamingEndpoint = /* @__PURE__ */ createStreamingEndpoint(API);
