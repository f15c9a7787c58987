/** The makers of handlers, for this API. Bundlers leave out those that a function does not use: hence the marks. */
import { createEndpoint, createEndpointWithBody, createStreamingEndpoint } from '../rest/index.ts';
import { API } from './api.ts';

export const endpoint = /* @__PURE__ */ createEndpoint(API);
export const endpointWithBody = /* @__PURE__ */ createEndpointWithBody(API);
export const streamingEndpoint = /* @__PURE__ */ createStreamingEndpoint(API);
