import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { ROUTES } from '../../lib/http/routes.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { PARAMETERS } from '../../lib/openapi/parameters.ts';
import { FIELDS, type FieldRules } from '../../lib/users/fields.ts';
import { FILTERS } from '../../lib/users/filters.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { filters } from '../../schemas/filters.ts';
import { user, userInput } from '../../schemas/user.ts';
import { completeEvents, type FunctionEvents } from '../../tools/deploy/events.ts';
import { grantsOf, PERMISSION_WORDS, type PermissionWord } from '../../tools/deploy/permissions.ts';

/** A new field or endpoint must be added to several places. A test names the place that lacks it. */
const ROOT = new URL('../../', import.meta.url);

interface FunctionDefinition extends FunctionEvents {
  handler: string;
  permissions?: PermissionWord[];
}

// The tags of CloudFormation, such as !GetAtt, do not matter here.
const { functions } = parse(readFileSync(new URL('serverless.yml', ROOT), 'utf8'), { logLevel: 'silent' }) as {
  functions: Record<string, FunctionDefinition>;
};

/** Functions without a route. */
const NO_ENDPOINTS = ['authorizer', 'fold', 'sendEvents', 'unknownRoute'];

const lacking = (needed: readonly string[], there: readonly string[], place: string): string[] =>
  needed.filter((name) => !there.includes(name)).map((name) => `${name} is missing in ${place}`);

const rules = Object.entries<FieldRules>(FIELDS);

describe('a field', () => {
  const inSchema = Object.keys(userInput.properties);

  test('is in the table of fields and in both schemas of a user', () => {
    const given = ['id', 'createdAt', ...inSchema];
    expect([
      ...lacking(inSchema, Object.keys(FIELDS), 'FIELDS of lib/users/fields.ts'),
      ...lacking(inSchema, Object.keys(user.properties), 'user of schemas/user.ts, what clients receive'),
      ...lacking(Object.keys(FIELDS), inSchema, 'userInput of schemas/user.ts, what clients send'),
      ...lacking(Object.keys(user.properties), given, 'userInput of schemas/user.ts, what clients send'),
    ]).toEqual([]);
  });

  test('has a unique short name of one letter', () => {
    const shorts = rules.map(([, { short }]) => short);
    const taken = rules.filter(([, { short }], i) => shorts.indexOf(short) !== i || !/^[a-z]$/.test(short));
    expect(taken.map(([field, { short }]) => `short of ${field} in lib/users/fields.ts cannot be "${short}"`)).toEqual(
      [],
    );
  });

  test('with a filter has a parameter, and an order, whose index the filter reads', () => {
    expect(lacking([...FILTERS.keys()], Object.keys(filters.properties), 'filters of schemas/filters.ts')).toEqual([]);
    const without = rules.filter(
      ([, { filter, order }]) =>
        filter !== undefined && filter !== 'exact' && order !== (filter === 'range' ? 'number' : 'text'),
    );
    expect(without.map(([field]) => `order of ${field} in lib/users/fields.ts`)).toEqual([]);
  });
});

test('an index is watched by both alarms of capacity', () => {
  const monitoring = readFileSync(new URL('tools/deploy/monitoring.yml', ROOT), 'utf8');
  const parts = monitoring.split(/^ {2}(?=\w+:)/m);
  const watched = (kind: string) =>
    parts.flatMap((part) =>
      part.startsWith(kind) ? [...part.matchAll(/- \{ Id: (\w+)/g)].map(([, id = '']) => id) : [],
    );
  const indexes = USERS_INDEXES.map(({ name }) => name);
  expect([
    ...lacking(indexes, watched('ReadCapacity'), 'ReadCapacity of tools/deploy/monitoring.yml'),
    ...lacking(indexes, watched('WriteCapacity'), 'WriteCapacity of tools/deploy/monitoring.yml'),
  ]).toEqual([]);
});

test('a filter has a description, a limit, and a listing that uses it', () => {
  const parameters = Object.values(PARAMETERS).flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  const asked = Object.values(LISTINGS).flatMap((listing): readonly string[] => listing.filters);
  expect([
    ...lacking(Object.keys(filters.properties), parameters, 'PARAMETERS of lib/openapi/parameters.ts'),
    ...lacking(asked, Object.keys(filters.properties), 'filters of schemas/filters.ts'),
    ...lacking(Object.keys(filters.properties), asked, 'LISTINGS of lib/http/listingRules.ts'),
  ]).toEqual([]);
});

const routesOf = ({ events }: FunctionEvents): string[] =>
  (events ?? []).flatMap(({ http }) => (http ? [typeof http === 'string' ? http : `${http.method} ${http.path}`] : []));

describe('an endpoint', () => {
  const files = readdirSync(new URL('functions', ROOT)).map((file) => file.replace('.ts', ''));
  const names = Object.keys(functions);
  const operations = ROUTES.map(({ operation }): string => operation);
  const known = [...new Set([...files, ...names, ...operations, ...Object.keys(OPERATIONS)])];
  const endpoints = known.filter((name) => !NO_ENDPOINTS.includes(name));

  test('has a file, a function, a route and a description with one name', () => {
    expect([
      ...lacking(known, files, 'functions/'),
      ...lacking(known, names, 'functions of serverless.yml'),
      ...lacking(endpoints, operations, 'ROUTES of lib/http/routes.ts'),
      ...lacking(endpoints, Object.keys(OPERATIONS), 'OPERATIONS of lib/openapi/operations.ts'),
    ]).toEqual([]);
  });

  test('is searched for faults', () => {
    const [, faults = ''] = readFileSync(new URL('tools/deploy/monitoring.yml', ROOT), 'utf8').split('title: Faults');
    const searched = [...faults.matchAll(/SOURCE '.*-(\w+)'/g)].map(([, name = '']) => name);
    expect(lacking(names, searched, 'the query "Faults" of tools/deploy/monitoring.yml')).toEqual([]);
  });

  test('has the path of its route and the file of its name', () => {
    const wrong = ROUTES.filter(
      ({ operation, method, path }) => routesOf(functions[operation] ?? { events: [] }).join() !== `${method} ${path}`,
    );
    expect(
      wrong.map(({ operation, method, path }) => `events of ${operation} in serverless.yml must be ${method} ${path}`),
    ).toEqual([]);
    for (const [name, { handler }] of Object.entries(functions)) {
      expect(handler).toBe(`functions/${name}.handler`);
      expect(existsSync(new URL(`functions/${name}.ts`, ROOT))).toBe(true);
    }
  });

  test('has permissions in known words, and is in LISTINGS if it reads lists', () => {
    const wrong = Object.entries(functions).filter(
      ([, { permissions }]) => !permissions?.every((word) => PERMISSION_WORDS.includes(word)),
    );
    expect(wrong.map(([name]) => `permissions of ${name} in serverless.yml, a list of known words, or []`)).toEqual([]);
    for (const [name, { permissions = [] }] of Object.entries(functions))
      expect(() => grantsOf(name, permissions)).not.toThrow();
    const missing = 'elsewhere is missing in LISTINGS of lib/http/listingRules.ts';
    expect(() => grantsOf('elsewhere', ['readLists'])).toThrow(missing);
  });
});

test('events that follow from the routes are a HEAD for every GET, and a catch-all on every path', () => {
  const GET = { http: { method: 'GET', path: '/api/users/all' } };
  const completed: Record<string, FunctionEvents> = {
    listAllUsers: { events: [GET] },
    createUser: { events: [{ http: 'POST /api/users' }] },
    fold: { events: [{ schedule: 'rate(1 minute)' }] },
    unknownRoute: { events: [] },
  };
  completeEvents(completed);
  const paths = ['/', '/{proxy+}', ...new Set(ROUTES.map(({ path }) => path))];
  expect(paths).toContain('/api/users/{id}');
  expect({ ...completed, unknownRoute: routesOf(completed.unknownRoute ?? { events: [] }) }).toEqual({
    listAllUsers: { events: [GET, { http: { method: 'HEAD', path: '/api/users/all' } }] },
    createUser: { events: [{ http: 'POST /api/users' }] },
    fold: { events: [{ schedule: 'rate(1 minute)' }] },
    unknownRoute: paths.map((path) => `ANY ${path}`),
  });
});
