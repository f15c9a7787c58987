import { ServiceError } from '../lib/ground/index.ts';
import { methodNotAllowed } from '../lib/http/routes.ts';
import { endpoint, NO_CONTENT, noParameters } from '../lib/rest/endpoint.ts';
import { optionsOf } from '../lib/rest/options.ts';

/** Handles all other requests: OPTIONS, unknown paths, and known paths with another method. */
export const handler = endpoint(
  noParameters,
  async (_, event) => {
    const { resource, path, httpMethod } = event;
    const options = httpMethod === 'OPTIONS' ? optionsOf(event) : undefined;
    if (options) return options;
    throw methodNotAllowed(resource, httpMethod) ?? new ServiceError('path-not-found', `Path not found: ${path}`);
  },
  NO_CONTENT,
);
