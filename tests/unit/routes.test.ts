import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROUTES } from '../../lib/http/routes.ts';

const ROOT = new URL('../../', import.meta.url);

// The tags of CloudFormation (!GetAtt, !Sub) mean nothing here.
const { functions } = parse(readFileSync(new URL('serverless.yml', ROOT), 'utf8'), { logLevel: 'silent' }) as {
  functions: Record<string, { handler: string; events?: { http: string | { method: string; path: string } }[] }>;
};

const routesOf = (name: string) =>
  functions[name]?.events?.map(({ http }) => (typeof http === 'string' ? http : `${http.method} ${http.path}`)) ?? [];

describe('the routes in serverless.yml', () => {
  test('are those of the table, each served by the function of its name', () => {
    const served = Object.keys(functions).flatMap((name) => routesOf(name).map((route) => [route, name]));
    const expected = ROUTES.map(({ method, path, operation }) => [`${method} ${path}`, operation]);
    const heads = expected
      .filter(([route]) => route?.startsWith('GET '))
      .map(([route, name]) => [route?.replace('GET', 'HEAD'), name]);
    expect(served.filter(([, name]) => name !== 'unknownRoute').sort()).toEqual([...expected, ...heads].sort());
  });

  test('have a catch-all on every path of the table', () => {
    const paths = [...new Set(ROUTES.map(({ path }) => path))];
    expect(routesOf('unknownRoute').sort()).toEqual(['/', '/{proxy+}', ...paths].map((path) => `ANY ${path}`).sort());
  });

  test('lead to files named as their functions, and no file is without one', () => {
    for (const [name, { handler }] of Object.entries(functions)) {
      expect(handler).toBe(`functions/${name}.handler`);
      expect(existsSync(new URL(`functions/${name}.ts`, ROOT))).toBe(true);
    }
    const files = readdirSync(new URL('functions', ROOT)).map((file) => file.replace('.ts', ''));
    expect(files.sort()).toEqual(Object.keys(functions).sort());
  });
});
