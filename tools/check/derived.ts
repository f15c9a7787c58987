import { readFileSync } from 'node:fs';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { ENDPOINTS, type Endpoint, IN_TURN, requestOf } from '../samples/endpoints.ts';
import { documentText } from './document.ts';
import { withProblems } from './problems.ts';
import { MADE_BY, routesText } from './routes.ts';

type Described = keyof typeof OPERATIONS;

/** The text of a file with another part between two lines. @throws {Error} where it has no such lines */
function withPart(text: string, first: string, last: string, part: string): string {
  const [before, rest = ''] = text.split(`${first}\n`);
  const [, after] = rest.split(`${last}\n`);
  if (after === undefined) throw new Error(`There is no line "${first}", or none "${last}" after it`);
  return `${before}${first}\n${part}${last}\n${after}`;
}

/** A value as YAML in one line. */
function inLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`;
  if (typeof value === 'string')
    return /^[\w./]+(?: [\w./]+)*$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, each]) => `${name}: ${inLine(each)}`);
  return `{ ${members.join(', ')} }`;
}

function functionOf({ name, at, method, path, permissions, settings = {}, trigger }: Endpoint): string {
  const http = trigger ? { method, path, ...trigger } : at;
  const members = { handler: `functions/${name}.handler`, ...settings, permissions, events: [{ http }] };
  const lines = Object.entries(members).map(([member, value]) => `    ${member}: ${inLine(value)}\n`);
  return `  ${name}:\n${lines.join('')}\n`;
}

const withFunctions = (template: string): string =>
  withPart(template, `  # ${MADE_BY}`, '  # from here on by hand', ENDPOINTS.map(functionOf).join(''));

const summaryOf = ({ name }: Endpoint): string => OPERATIONS[name as Described].summary;

const rowOf = (endpoint: Endpoint): string => {
  const { at, scopes, does = summaryOf(endpoint).replace(/^./, (first) => first.toLowerCase()) } = endpoint;
  return `| \`${at}\` | ${does} | ${scopes.map((scope) => `\`${scope}\``).join(', ')} |\n`;
};

const HEAD = ['| Method and path | Does | Scope |', '|---|---|---|', ''].join('\n');

const withRows = (page: string): string =>
  withPart(
    page,
    '<!-- endpoints -->',
    '<!-- /endpoints -->',
    HEAD + ENDPOINTS.flatMap((each) => (each.scopes.length > 0 ? [rowOf(each)] : [])).join(''),
  );

/** References that an editor fills in. */
const IN_EDITOR = {
  idOf: (name: string) => `{{${name}.response.body.$.id}}`,
  etag: '{{createUser.response.headers.ETag}}',
  edit: '{{editUsers.response.body.$.edit}}',
  style: '',
};

function requestsFor(endpoint: Endpoint): string[] {
  const { name, method, scopes, examples } = endpoint;
  return examples.map((example, place) => {
    const { path, headers, body } = requestOf(endpoint, example, IN_EDITOR);
    const fields = { ...(scopes.length > 0 && { Authorization: 'Bearer {{token}}' }), ...headers };
    return [
      `### ${example.title ?? summaryOf(endpoint)}`,
      ...(place === 0 ? [`# @name ${name}`] : []),
      `${method} {{base}}${path}`,
      ...Object.entries(fields).map(([field, value]) => `${field}: ${value}`),
      ...(body ? ['', body] : []),
    ].join('\n');
  });
}

/** Of a file whose name only its page knows nobody can write a request. */
const isWritten = ({ examples: [{ file = '' }] }: Endpoint): boolean => !file.includes('{');

const requestsText = (): string =>
  `# One request per operation, for editors that send such files (for example the REST Client of Visual Studio Code): ${MADE_BY}.
# Start the service with "npm start"; for a deployed stage set its base URL and a token.

@base = http://localhost:3000
@token = none

${IN_TURN.filter(isWritten).flatMap(requestsFor).join('\n\n')}
`;

const read = (file: string): string => readFileSync(file, 'utf8');

/** Each file that repeats an endpoint or a problem, with the text that it should have.  */
export const derivedFiles = (): [file: string, text: string][] => [
  ['lib/http/routes.ts', routesText()],
  ['serverless.yml', withFunctions(read('serverless.yml'))],
  ['docs/api.md', withRows(read('docs/api.md'))],
  ['docs/requests.http', requestsText()],
  ['docs/client.md', withProblems(read('docs/client.md'))],
  ['docs/openapi.json', documentText()],
];
