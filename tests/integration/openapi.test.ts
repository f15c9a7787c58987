import createClient from 'openapi-fetch';
import { beforeAll, describe, expect, test } from 'vitest';
import type { components, paths } from '../../docs/openapi.d.ts';
import { ROUTES } from '../../lib/http/routes.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { caller, exchange } from '../support/httpService.ts';
import { type FileResponse, fillIn, readRequests } from '../support/requestsFile.ts';
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

describe('GET /api/docs', () => {
  test('is a page that loads nothing from other hosts', async () => {
    const { status, headers, text } = await exchange(service.url, 'GET', '/api/docs', {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
    const references = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference);
    expect(references).toEqual([
      'data:,',
      '/api/docs/swagger-ui.css',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/start.js',
    ]);
    for (const reference of references.slice(1)) {
      const file = await exchange(service.url, 'GET', reference ?? '');
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(file.text.length).toBeGreaterThan(100);
    }
  });

  test.each(['x.js', '..%2f..%2fpackage.json', '__proto__', 'package.json'])('has no file %s', async (name) => {
    expect((await exchange(service.url, 'GET', `/api/docs/${name}`)).status).toBe(404);
  });

  test('is 406 for a client that reads only JSON', async () => {
    expect((await exchange(service.url, 'GET', '/api/docs', { headers: { accept: 'application/json' } })).status).toBe(
      406,
    );
  });
});

describe('a client generated from the document', () => {
  test('creates, reads, changes and deletes a user with types', async () => {
    const client = createClient<paths, 'application/json'>({ baseUrl: service.url });
    const input: components['schemas']['UserInput'] = { name: 'Ann', lastName: 'Generated', age: 30 };
    const created = await client.POST('/api/users', { body: input });
    const id = created.data?.id ?? 0;
    expect(created.data).toEqual({ id, createdAt: expect.any(String), ...input });

    const found = await client.GET('/api/users/search', { params: { query: { keyword: 'generated', size: 5 } } });
    expect(found.data?.content.map((user) => user.id)).toEqual([id]);
    expect(found.data?.totalElements).toBe(1);

    const path = { id };
    const patched = await client.PATCH('/api/users/{id}', { params: { path }, body: { age: null, status: 'x' } });
    expect(patched.data).toMatchObject({ name: 'Ann', status: 'x' });
    const replaced = await client.PUT('/api/users/{id}', { params: { path }, body: { name: 'Bea' } });
    expect(replaced.data).toEqual({ id, createdAt: created.data?.createdAt, name: 'Bea' });

    expect((await client.DELETE('/api/users/{id}', { params: { path } })).response.status).toBe(204);
    const gone = await client.GET('/api/users/{id}', { params: { path } });
    expect(gone.error).toEqual({ status: 404, message: `User not found with id: ${id}` });

    // @ts-expect-error: the types know what a user needs
    const refused = await client.POST('/api/users', { body: { age: 5 } });
    expect(refused.error).toEqual({ status: 400, message: 'Name is required' });
  });
});

/** Only the page knows the names of its files. */
const REQUESTED = ROUTES.filter(({ operation }) => operation !== 'getAdminFile');

describe('docs/requests.http', () => {
  test('has one request for each operation, and each succeeds', async () => {
    const requests = readRequests();
    const names = requests.map(({ name }) => name).sort();
    expect(names, 'docs/requests.http needs a request for each route').toEqual(
      REQUESTED.map(({ operation }) => operation).sort(),
    );

    const variables = { base: service.url, token: 'none' };
    const responses: Record<string, FileResponse> = {};
    const statuses: Record<string, number> = {};
    for (const { name, method, url, headers, body } of requests) {
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
