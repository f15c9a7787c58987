import { createEndpoint, type Handler } from './endpoint.ts';
import { pathNotFound } from './errors.ts';
import { optionsOf } from './options.ts';
import { type Api, methodNotAllowed } from './routes.ts';
import { nothing } from './takes.ts';

/** A Lambda handler for all other requests: OPTIONS, unknown paths (404), and known paths with another method (405). */
export const createFallback = (api: Api): Handler =>
  createEndpoint(api)(
    nothing,
    async (_, event) => {
      const options = event.httpMethod === 'OPTIONS' ? optionsOf(api, event) : undefined;
      if (options) return options;
      throw methodNotAllowed(api, event) ?? pathNotFound(event.path, api.helpAt?.(event));
    },
    [],
  );
