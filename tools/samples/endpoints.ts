import { build } from 'esbuild';
import type { EndpointRoute, Example } from '../../lib/http/endpoint.ts';
import { readRoutes } from '../../lib/openapi/sources.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** An endpoint as its file in functions/ has it, beside its description and its handler. */
export interface Endpoint extends EndpointRoute {
  name: string;
  method: string;
  path: string;
  examples: NonNullable<EndpointRoute['examples']>;
}

type Key = readonly (string | number)[];

function compareKeys(a: Key, b: Key): number {
  const differs = a.findIndex((part, place) => part !== b[place]);
  const [left = 0, right = 0] = [a[differs], b[differs]];
  return differs < 0 ? 0 : left < right ? -1 : 1;
}

const sortedBy = <Item>(items: readonly Item[], keyOf: (item: Item) => Key): Item[] =>
  items.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));

const all = Object.entries((await readRoutes(build)) as Readonly<Record<string, EndpointRoute>>);

/** All endpoints by their paths, those of users before the pages. */
export const ENDPOINTS: readonly Endpoint[] = sortedBy(
  all.map(([name, route]) => {
    const [method = '', path = ''] = route.at.split(' ');
    return { examples: [{}], ...route, name, method, path };
  }),
  ({ scopes, path, method }) => [scopes.length > 0 ? 0 : 1, path, METHODS.indexOf(method)],
);

/** Things that a request refers to, as answers to earlier ones have them. */
export interface Made {
  /** The id of the user whom an endpoint has made. */
  idOf(endpoint: string): string;
  /** The ETag of the user whom createUser has made. */
  etag: string;
  /** The name of the edit. */
  edit: string;
  /** The stylesheet of the admin page. */
  style: string;
}

/** The path, header fields and body of an example, filled in. */
export function requestOf({ path }: Pick<Endpoint, 'path'>, example: Example, { idOf, etag, edit, style }: Made) {
  const { query, headers = {}, json, id = 'createUser', file = '' } = example;
  const place = path
    .replace('{id}', idOf(id))
    .replace('{edit}', edit)
    .replace('{file}', file.replace('{style}', style));
  const given = Object.entries(headers).map(([name, value]) => [name, value.replace('{etag}', etag)] as const);
  const type = json && { 'Content-Type': 'application/json' };
  return {
    path: query === undefined ? place : `${place}?${query}`,
    headers: { ...type, ...Object.fromEntries(given) } as Record<string, string>,
    body: json && JSON.stringify(json, null, 2).replaceAll('"{id}"', idOf('createUser')),
  };
}

/** All endpoints so that each finds what it refers to: what is made, lists, what changes or shows one, and at the end what deletes. */
export const IN_TURN: readonly Endpoint[] = sortedBy(ENDPOINTS, ({ method, path }) => [
  ...[method === 'DELETE' ? 1 : 0, path.includes('{') ? 1 : 0, method === 'GET' ? 1 : 0],
  ...[path, METHODS.indexOf(method)],
]);
