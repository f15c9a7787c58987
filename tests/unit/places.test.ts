import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import { needsToken } from '../../lib/rest/index.ts';
import { FIELDS } from '../../lib/users/fields.ts';
import { FILTERS } from '../../lib/users/filters.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { filterValues } from '../../schemas/filters.ts';
import { user, userInput } from '../../schemas/user.ts';
import { PERMISSION_WORDS, type PermissionWord } from '../../tools/deploy/permissions.ts';
import type { Triggered } from '../../tools/deploy/triggers.ts';
import { ROOT, read, readYaml } from '../support/files.ts';

/** A new field or endpoint must be added to several places. A test names the place that lacks it. */
interface FunctionDefinition extends Triggered {
  handler: string;
  permissions?: PermissionWord[];
}

const { functions }: { functions: Record<string, FunctionDefinition> } = readYaml('serverless.yml');

/** Functions without a route. */
const NO_ENDPOINTS = ['authorizer', 'fold', 'sendEvents', 'unknownRoute'];

/** `attributes` are no field of one value. */
const plain = (fields: string[] = []): string[] => fields.filter((field) => field !== 'attributes');

const lacking = (needed: readonly string[], there: readonly string[], place: string): string[] =>
  [...new Set(needed)].filter((name) => !there.includes(name)).map((name) => `${name} is missing in ${place}`);

/** The indexes that an alarm of monitoring.yml watches. */
const watchedBy = (alarm: string): string[] =>
  read('tools/deploy/monitoring.yml')
    .split(/^ {2}(?=\w+:)/m)
    .flatMap((part) => (part.startsWith(alarm) ? [...part.matchAll(/- \{ Id: (\w+)/g)].map(([, id = '']) => id) : []));

/** The indexes that the access patterns of docs/data-model.md read. */
const documented = [...read('docs/data-model.md').matchAll(/^\| [DL]\d+ \|.*$/gm)].flatMap(([row]) =>
  [...(row.split(' | ')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, index = '']) => index),
);

describe('a field', () => {
  const [inSchema, shown] = [userInput, user].map(({ properties }): string[] => Object.keys(properties));
  const asked = [...FILTERS.keys()];

  test('is in every place, with its filters', () => {
    expect([
      ...lacking(plain(inSchema), Object.keys(FIELDS), 'FIELDS of lib/users/fields.ts'),
      ...lacking(inSchema ?? [], shown ?? [], 'user of schemas/user.ts, what clients receive'),
      ...lacking(
        [...Object.keys(FIELDS), ...(shown ?? [])],
        ['id', 'createdAt', ...(inSchema ?? [])],
        'userInput of schemas/user.ts, what clients send',
      ),
      ...lacking(plain(shown), Object.keys(filterValues), 'filterValues of schemas/filters.ts'),
    ]).toEqual([]);
  });

  test('is in the documents, with its filters', () => {
    const [, validated = ''] = read('docs/api.md').match(/first wrong field in the order (.*) gives/) ?? [];
    const [, stored = ''] = read('docs/data-model.md').match(/^\| (.*) \| the fields of the user/m) ?? [];
    const rows = [...read('docs/api.md').matchAll(/^\| (.*`.*`.*|[a-zA-Z, ]+) \|/gm)].map(([, row = '']) => row);
    const wordsIn = (row: string): string[] => row.match(/[a-zA-Z.]+/g) ?? [];
    // A row of an ending names its fields.
    const explained = rows.flatMap((row) => {
      const endings = [...row.matchAll(/<field>\.(\w+)/g)].flatMap(([, ending]) => ending ?? []);
      return [...wordsIn(row), ...endings.flatMap((ending) => wordsIn(row).map((field) => `${field}.${ending}`))];
    });
    expect([
      ...lacking(inSchema ?? [], validated.split(', '), 'the order of fields in docs/api.md'),
      ...lacking(inSchema ?? [], stored.match(/\w+/g) ?? [], 'the items of docs/data-model.md'),
      ...lacking([...(shown ?? []), ...asked], explained, 'the tables of fields and filters in docs/api.md'),
    ]).toEqual([]);
  });

  test('has a unique short name of one letter', () => {
    const rules = Object.entries(FIELDS);
    const shorts = rules.map(([, { short }]): string => short);
    const taken = rules.filter(([, { short }], i) => shorts.indexOf(short) !== i || !/^[a-z]$/.test(short));
    expect(taken.map(([field, { short }]) => `short of ${field} in lib/users/fields.ts cannot be "${short}"`)).toEqual(
      [],
    );
  });
});

test('an index is watched, and is in the access patterns', () => {
  const indexes = USERS_INDEXES.map(({ name }): string => name);
  expect([
    ...lacking(indexes, watchedBy('ReadCapacity'), 'ReadCapacity of tools/deploy/monitoring.yml'),
    ...lacking(indexes, watchedBy('WriteCapacity'), 'WriteCapacity of tools/deploy/monitoring.yml'),
    ...lacking(indexes, documented, 'the access patterns of docs/data-model.md'),
    ...lacking(documented, indexes, 'USERS_INDEXES of lib/users/indexes.ts'),
  ]).toEqual([]);
});

const routesOf = ({ events }: Triggered): string[] =>
  (events ?? []).flatMap(({ http }) => (http ? [typeof http === 'string' ? http : `${http.method} ${http.path}`] : []));

describe('an endpoint', () => {
  const files = readdirSync(join(ROOT, 'functions')).map((file) => file.replace('.ts', ''));
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

  test('is in the queries of the dashboard', () => {
    const lackingIn = (title: string, needed: readonly string[]): string[] => {
      const [, query = ''] = read('tools/deploy/monitoring.yml').split(`title: ${title}\n`);
      const searched = [...(query.split('title:')[0] ?? '').matchAll(/SOURCE '.*-(\w+)'/g)].map(
        ([, name = '']) => name,
      );
      return lacking(needed, searched, `the query "${title}" of tools/deploy/monitoring.yml`);
    };
    const ofUsers = ROUTES.filter(needsToken).map(({ operation }) => operation);
    expect([...lackingIn('Routes by cost', ofUsers), ...lackingIn('Faults', names)]).toEqual([]);
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
    }
  });

  test('has permissions in known words', () => {
    const wrong = Object.entries(functions).filter(
      ([, { permissions }]) => !permissions?.every((word) => PERMISSION_WORDS.includes(word)),
    );
    expect(wrong.map(([name]) => `permissions of ${name} in serverless.yml, a list of known words, or []`)).toEqual([]);
  });
});
