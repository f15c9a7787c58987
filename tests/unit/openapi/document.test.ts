import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../lib/http/routes.ts';
import { artifacts } from '../../../lib/openapi/artifacts.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';
import { jsonPatch } from '../../../schemas/jsonPatch.ts';
import { user, userInput } from '../../../schemas/user.ts';

const ROOT = new URL('../../../', import.meta.url);

interface OperationObject {
  operationId: string;
  security: object[];
  parameters?: { $ref: string }[];
  responses: object;
}

const document = openApiDocument({ server: '/', isProtected: true });

const operationsOf = ({ paths }: Pick<typeof document, 'paths'>) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...(operation as OperationObject) })),
  );

describe('the OpenAPI document', () => {
  test('has the operations of the routes, with the names of their functions', () => {
    const described = operationsOf(document).map(
      ({ operationId, method, path }) => `${operationId}: ${method} ${path}`,
    );
    const routed = ROUTES.map(({ operation, method, path }) => `${operation}: ${method.toLowerCase()} ${path}`);
    expect(described.sort()).toEqual(routed.sort());
  });

  test('has the schemas that validate requests', () => {
    const { schemas } = document.components;
    expect(schemas).toMatchObject({ User: user, UserInput: userInput, JsonPatch: jsonPatch });
    expect(schemas.UserPage).toMatchObject({
      properties: { content: { type: 'array', items: { $ref: '#/components/schemas/User' }, maxItems: 100 } },
    });
    expect(schemas.UserMergePatch).toEqual({ type: 'object', properties: userInput.properties });
  });

  test('requires the scopes of the routes, unless the deployment is open', () => {
    const asked = (source: typeof document) =>
      Object.fromEntries(operationsOf(source).map(({ operationId, security }) => [operationId, security]));
    const read = [{ token: ['users:read'] }];
    const write = [{ token: ['users:write'] }];
    const audit = [{ token: ['users:audit'] }];
    expect(asked(document)).toEqual({
      listUsers: read,
      listAllUsers: read,
      listUsersByCursor: read,
      searchUsers: read,
      getUser: read,
      createUser: write,
      replaceUser: write,
      patchUser: write,
      deleteUser: write,
      listChanges: audit,
      listUserChanges: audit,
      eraseUserChanges: [{ token: ['users:audit', 'users:write'] }],
      getOpenApi: [],
      getDocs: [],
      getDocsFile: [],
      getAdmin: [],
      getAdminFile: [],
    });
    const open = openApiDocument({ server: '/', isProtected: false });
    expect(new Set(Object.values(asked(open)).flat())).toEqual(new Set());
    expect(open.components).not.toHaveProperty('securitySchemes');
    expect(operationsOf(open).some(({ responses }) => Object.keys(responses).includes('401'))).toBe(false);
  });

  test('documents If-None-Match and 304 for every collection and for one user', () => {
    const conditional = operationsOf(document)
      .filter(({ responses }) => Object.keys(responses).includes('304'))
      .map(({ operationId }) => operationId);
    expect(conditional.sort()).toEqual(['getUser', 'listAllUsers', 'listUsers', 'listUsersByCursor', 'searchUsers']);
  });

  test('has the filters and sort properties of each listing', () => {
    const asked = (name: string) =>
      operationsOf(document)
        .filter(({ operationId }) => operationId === name)
        .flatMap(({ parameters = [] }) => parameters.map(({ $ref }) => $ref.split('/').at(-1)));
    const all = [
      ...['NameStartsWith', 'Email', 'EmailStartsWith', 'AgeGte', 'AgeGt', 'AgeLte', 'AgeLt'],
      ...['FirstNameStartsWith', 'LastNameStartsWith', 'Status', 'Country'],
      ...['CreatedAtGte', 'CreatedAtGt', 'CreatedAtLte', 'CreatedAtLt', 'Keyword'],
    ];
    expect(asked('listUsers')).toEqual(['Page', 'Size', 'Sort', ...all, 'Cursor', 'UnlessChanged']);
    expect(asked('listUsersByCursor')).toEqual(['Cursor', ...all, 'UnlessChanged']);
    expect(asked('searchUsers')).toEqual(['Status', 'Keyword', 'Page', 'Size', 'SearchSort', 'UnlessChanged']);
    expect(asked('listAllUsers')).toEqual(['Sort', ...all, 'UnlessChanged']);
  });

  test('has the base path of the deployment', () => {
    expect(openApiDocument({ server: '/prod', isProtected: true }).servers).toEqual([{ url: '/prod' }]);
  });

  test('equals docs/openapi.json and its types; if not, run "npm run openapi"', async () => {
    for (const [file, content] of Object.entries(await artifacts())) {
      expect(readFileSync(new URL(file, ROOT), 'utf8')).toBe(content);
    }
  });
});
