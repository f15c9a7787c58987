import { ROUTES } from '../../lib/http/routes.ts';

/** The function for methods and paths that are not routes. */
export const UNKNOWN_ROUTE = 'unknownRoute';

export interface HttpTrigger {
  method: string;
  path: string;
  authorizer?: object;
}

/** The caller of a function. */
interface Trigger {
  http?: string | HttpTrigger;
  schedule?: unknown;
  stream?: object;
}

export interface Triggered {
  events: Trigger[];
}

export const toObject = (http: string | HttpTrigger): HttpTrigger => {
  if (typeof http !== 'string') return http;
  const [method = '', path = ''] = http.split(' ');
  return { method, path };
};

/** Every GET has a HEAD. */
const withHeads = (events: readonly Trigger[]): Trigger[] =>
  events.flatMap((event) => {
    const http = event.http && toObject(event.http);
    return http && http.method === 'GET' ? [event, { http: { ...http, method: 'HEAD' } }] : [event];
  });

/** A route for one method hides the catch-all from other methods of its path, so the catch-all is added to every path. */
const catchAll = (): Trigger[] =>
  ['/', '/{proxy+}', ...new Set(ROUTES.map(({ path }) => path))].map((path) => ({ http: { method: 'ANY', path } }));

/**
 * Adds what follows from the routes: a HEAD for every GET, and the function for everything that is not a route. The local server
 * handles a HEAD by the route of GET, and warns of any other.
 */
export function completeTriggers(functions: Record<string, Triggered>, isLocal: boolean): void {
  for (const [name, definition] of Object.entries(functions)) {
    const events = definition.events ?? [];
    if (name === UNKNOWN_ROUTE) definition.events = [...events, ...catchAll()];
    else definition.events = isLocal ? events : withHeads(events);
  }
}
