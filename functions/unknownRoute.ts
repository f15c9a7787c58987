import { ServiceError } from '../lib/errors.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { methodNotAllowed } from '../lib/http/routes.ts';

/** Answers what no other function does: unknown paths, and known ones with another method. */
export const handler = endpoint(async ({ resource, path, httpMethod }) => {
  throw methodNotAllowed(resource, httpMethod) ?? new ServiceError(404, `Path not found: ${path}`);
});
