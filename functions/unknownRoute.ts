import { ServiceError } from '../lib/errors.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { allowedMethods } from '../lib/http/routes.ts';

/** Answers what no other function does: unknown paths, and known ones with another method. */
export const handler = endpoint(async ({ path, httpMethod }) => {
  const allowed = allowedMethods(path);
  if (allowed.length === 0) throw new ServiceError(404, `Path not found: ${path}`);
  const allow = allowed.join(', ');
  throw new ServiceError(405, `Method ${httpMethod} is not allowed here, only ${allow}`, { headers: { allow } });
});
