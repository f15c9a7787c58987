import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { caller, exchange } from '../support/httpService.ts';
import { type SharedService, sharedService } from '../support/sharedService.ts';
import { smoke, ticks } from '../support/smoke.ts';

let service: SharedService;

beforeAll(async () => {
  service = await sharedService();
});

describe('GET /api/openapi.json', () => {
  test('is the document of the deployment', async () => {
    const { status, body } = await caller(service.url)('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument({ server: '/', isProtected: false }))));
  });
});

/** A response that later requests of the file refer to. */
interface FileResponse {
  headers: Headers;
  body: unknown;
}

function parseRequest(section: string) {
  const name = /^# @name (\w+)$/m.exec(section)?.[1];
  const [head = '', ...rest] = section
    .replace(/^(###.*|#.*)\n/gm, '')
    .trim()
    .split('\n\n');
  const [start = '', ...fields] = head.split('\n');
  const [method = '', url = ''] = start.split(' ');
  if (!name) return [];
  const headers: Record<string, string> = Object.fromEntries(fields.map((field) => field.split(/:\s*/, 2)));
  return [{ name, method, url, headers, body: rest.length > 0 ? rest.join('\n\n') : undefined }];
}

/** The requests of `docs/requests.http`, in its order. */
const REQUESTS = readFileSync(new URL('../../docs/requests.http', import.meta.url), 'utf8')
  .split(/^(?=###)/m)
  .flatMap(parseRequest);

/** Fills in the variables of the file, and references such as `{{name.response.body.$.member}}` or `.headers.Name`. */
const fillIn = (text: string, variables: Record<string, string>, responses: Record<string, FileResponse>): string =>
  text.replace(/\{\{([\w.$-]+)\}\}/g, (_, reference: string) => {
    const [name = '', , part, ...path] = reference.split('.');
    const response = responses[name];
    const value = response
      ? part === 'headers'
        ? response.headers.get(path[0] ?? '')
        : (response.body as Record<string, unknown>)[path[1] ?? '']
      : variables[name];
    if (value === undefined || value === null) throw new Error(`Nothing to fill in for ${reference}`);
    return String(value);
  });

/** All operations but one: only the admin page knows the names of its files. */
const REQUESTED = ROUTES.filter(({ operation }) => operation !== 'getAdminFile');

describe('docs/requests.http', () => {
  test('has one request for each operation, and each succeeds', async () => {
    const names = REQUESTS.map(({ name }) => name).sort();
    expect(names, 'docs/requests.http needs a request for each route').toEqual(
      REQUESTED.map(({ operation }) => operation).sort(),
    );

    const variables = { base: service.url, token: 'none' };
    const responses: Record<string, FileResponse> = {};
    const statuses: Record<string, number> = {};
    for (const { name, method, url, headers, body } of REQUESTS) {
      const fill = (text: string) => fillIn(text, variables, responses);
      const filled = Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, fill(value)]));
      const response = await exchange(service.url, method, fill(url).replace(service.url, ''), {
        headers: filled,
        ...(body !== undefined && { body: fill(body) }),
      });
      const isJson = response.headers.get('content-type')?.includes('json') && response.text !== '';
      responses[name] = { headers: response.headers, body: isJson ? JSON.parse(response.text) : undefined };
      statuses[name] = response.status;
    }
    const success: Record<string, number> = { POST: 201, DELETE: 204 };
    expect(statuses).toEqual(
      Object.fromEntries(REQUESTED.map(({ operation, method }) => [operation, success[method] ?? 200])),
    );
  });
});

describe('npm run smoke', () => {
  test('passes against a healthy service, and leaves no user behind', async () => {
    const { code, stdout, stderr } = await smoke([`${service.url}/`]);
    expect({ code, stderr, ticks: ticks(stdout) }).toEqual({ code: 0, stderr: '', ticks: 15 });
    const left = await caller(service.url)('GET', '/api/users?status=smoke-test');
    expect(left.body).toMatchObject({ totalElements: 0 });
  });
});
