import { CHANGE_MANY, OTHER_WORDS, type Words } from '../../lib/http/words.ts';
import { ENDPOINTS, type Endpoint } from '../samples/endpoints.ts';

/** Says in each file that is derived where to change it. */
export const MADE_BY = 'made of functions/ by npm run derive';

/** Modules that the routes import. */
const BELOW = '../rest/index.ts';
const BESIDE = './words.ts';

const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

function routeLine({ name, method, path, scopes, isStrict, isUntimed }: Endpoint): string {
  const flags = [isStrict ? ', isStrict: true' : '', isUntimed ? ', isUntimed: true' : ''].join('');
  const list = `[${scopes.map(quoted).join(', ')}]`;
  return `  { operation: '${name}', method: '${method}', path: '${path}', scopes: ${list}${flags} },`;
}

const wordsOf = ({ elsewhere, there }: Endpoint): Words[] => (elsewhere && there ? [{ elsewhere, there }] : []);

const wordsLine = ({ elsewhere, there }: Words): string =>
  `  { elsewhere: ${quoted(elsewhere)}, there: ${there === CHANGE_MANY ? 'CHANGE_MANY' : quoted(there)} },`;

/** lib/http/routes.ts. The formatter of sources leaves it alone: each route is a line. */
export const routesText = (): string => `// ${MADE_BY}
import type { Route as AnyRoute } from '${BELOW}';
import type { Words } from '${BESIDE}';

/** Every route of the service, with the scopes (RFC 6749, section 3.3) that its caller needs, all of them, if authentication is on. */
export const ROUTES = [
${ENDPOINTS.map(routeLine).join('\n')}
] as const satisfies readonly AnyRoute[];

export type Route = (typeof ROUTES)[number];
export type Operation = Route['operation'];
export type Scope = Route['scopes'][number];

/** The way to change or delete several users. */
export const CHANGE_MANY =
  ${quoted(CHANGE_MANY)};

/** Words of paths in other APIs, in small letters and digits, and what is there for each, where {id} is that of the path. */
export const WORDS: readonly Words[] = [
${[...OTHER_WORDS, ...ENDPOINTS.flatMap(wordsOf)].map(wordsLine).join('\n')}
];

/** Where parameters are taken that are no filters: lists take these, too. */
export const TAKEN_AT: Readonly<Record<string, string>> = {
${ENDPOINTS.flatMap(({ at, takes }) => (takes ? [`  '${at}': '${takes}',`] : [])).join('\n')}
};
`;
