import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../lib/openapi/document.ts';

/** The parts of the document that are used here. */
interface Response {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, object>;
}
type PathItem = Record<string, { responses: Record<string, Response> }>;

const { paths, components } = openApiDocument({ server: '/', isProtected: true }) as unknown as {
  paths: Record<string, PathItem>;
  components: { responses: Record<string, Response>; headers: Record<string, { required?: boolean }> };
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('idn-email', true).addFormat('text', true).addFormat('label', true).addFormat('mailbox', true);
ajv.addSchema({ paths, components }, 'openapi', undefined, false);

const validators = new Map<string, ValidateFunction>();

/** The validator of the schema at a JSON Pointer into the document. */
function validatorAt(...steps: string[]): ValidateFunction {
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
  validators.set(pointer, known);
  return known;
}

/** NDJSON is many. */
export const isJsonType = (type: string | null): boolean => /[/+]json\b/.test(type ?? '');

/** `GET /api/users` has only words for the array of users that it responds with to a cursor. */
const BATCHES = '/api/users/cursor';

function pathOf(exchange: Exchange, verb: string): string {
  const [path = '', query] = exchange.path.split('?');
  return verb === 'get' && path === '/api/users' && new URLSearchParams(query).has('cursor') ? BATCHES : path;
}

/** Nor has it more of a walk: its array is that of all users. */
const ALL_USERS = ['paths', '/api/users/all', 'get', 'responses', '200'];

const isWalk = ({ path, status }: Exchange): boolean =>
  status === 200 && new URLSearchParams(path.split('?')[1]).has('after') && path.startsWith('/api/users?');

const templateOf = (path: string): string | undefined =>
  Object.hasOwn(paths, path)
    ? path
    : Object.keys(paths).find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));

export interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

class ContractError extends Error {
  constructor({ method, path, status, text }: Exchange, reason: string) {
    super(`${method} ${path} responded with ${status}, but ${reason}: ${text.slice(0, 500)}`);
  }
}

function checkContent(exchange: Exchange, content: Response['content'], steps: string[]): void {
  const { headers, text, method, path } = exchange;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!content) {
    if (text !== '') throw new ContractError(exchange, 'the document has no content there');
    return;
  }
  if (method === 'HEAD') return;
  if (!Object.hasOwn(content, type)) throw new ContractError(exchange, `the document has no ${type} there`);
  // The document has only words for users with some of their members.
  if (!isJsonType(type) || new URLSearchParams(path.split('?')[1]).has('fields')) return;
  const conforms = validatorAt(...steps, 'content', type, 'schema');
  if (!conforms(JSON.parse(text))) throw new ContractError(exchange, ajv.errorsText(conforms.errors));
}

function checkHeaders(exchange: Exchange, headers: Response['headers'] = {}): void {
  for (const [name, { $ref }] of Object.entries(headers)) {
    const { required } = components.headers[$ref.split('/').at(-1) ?? ''] ?? {};
    if (required && !exchange.headers.has(name)) throw new ContractError(exchange, `${name} is missing`);
  }
  for (const name of Object.keys(components.headers)) {
    if (exchange.headers.has(name) && !Object.hasOwn(headers, name)) {
      throw new ContractError(exchange, `the document has no ${name} there`);
    }
  }
}

/** Checks a request that is no operation of the document: its path is unknown, or has no such method. */
function checkUndocumented(exchange: Exchange, statuses: number[]): void {
  if (!statuses.includes(exchange.status)) throw new ContractError(exchange, 'the document has no such operation');
  if (exchange.method === 'HEAD') return;
  checkContent(exchange, components.responses.Error404?.content, ['components', 'responses', 'Error404']);
}

/** @throws {Error} when a response is not as the OpenAPI document says */
export function checkAgainstDocument(exchange: Exchange): void {
  const { method, status } = exchange;
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const template = templateOf(pathOf(exchange, verb));
  if (method === 'OPTIONS' && template && status === 204) return;
  const operation = template && paths[template]?.[verb];
  if (!operation) {
    checkUndocumented(exchange, template ? [400, 405] : [400, 404]);
    return;
  }
  const response = operation.responses[status];
  if (!response) throw new ContractError(exchange, 'the document has no such status there');
  const name = response.$ref?.split('/').at(-1);
  const steps = name ? ['components', 'responses', name] : ['paths', template, verb, 'responses', String(status)];
  const { content, headers } = (name ? components.responses[name] : response) ?? {};
  checkHeaders(exchange, headers);
  checkContent(exchange, content, isWalk(exchange) ? ALL_USERS : steps);
}
