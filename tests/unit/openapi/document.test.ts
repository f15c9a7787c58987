import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { artifacts } from '../../../lib/openapi/artifacts.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';

describe('the OpenAPI document', () => {
  test('equals docs/openapi.json and its types; if not, run "npm run openapi"', async () => {
    for (const [file, content] of Object.entries(await artifacts())) {
      expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toBe(content);
    }
  });

  test('of an open deployment has neither scopes nor the errors of tokens', () => {
    const { components, paths } = openApiDocument({ server: '/', isProtected: false });
    const operations = Object.values(paths).flatMap(
      (path) => Object.values(path) as { security: object[]; responses: object }[],
    );
    expect(operations.flatMap(({ security }) => security)).toEqual([]);
    expect(operations.filter(({ responses }) => '401' in responses || '403' in responses)).toEqual([]);
    expect(components).not.toHaveProperty('securitySchemes');
  });
});
