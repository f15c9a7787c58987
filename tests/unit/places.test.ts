import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ATTRIBUTE_ASKS, FILTERS, type FieldFilter, PARTS } from '../../lib/users/filters.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { ANY_ATTRIBUTE, KINDS, PLAIN_FIELDS, WORD_FIELDS } from '../../lib/users/user.ts';
import { ATTRIBUTES_SHORT, FIELDS, type PlainField } from '../../schemas/fields.ts';
import { user, userInput } from '../../schemas/user.ts';
import { derivedFiles } from '../../tools/check/derived.ts';
import { PERMISSION_WORDS, type PermissionWord } from '../../tools/deploy/permissions.ts';
import { ENDPOINTS } from '../../tools/samples/endpoints.ts';
import { ROOT, read, readYaml } from '../support/files.ts';
import { MODEL_PARTS } from '../support/model.ts';

/** A new field or endpoint must be added to several places. A test names the place that lacks it. */
interface FunctionDefinition {
  handler: string;
  permissions?: PermissionWord[];
}

const { functions }: { functions: Record<string, FunctionDefinition> } = readYaml('serverless.yml');

const lacking = (needed: readonly string[], there: readonly string[], place: string): string[] =>
  [...new Set(needed)].filter((name) => !there.includes(name)).map((name) => `${name} is missing in ${place}`);

/** The indexes that an alarm of monitoring.yml watches. */
const watchedBy = (alarm: string): string[] =>
  read('tools/deploy/monitoring.yml')
    .split(/^ {2}(?=\w+:)/m)
    .flatMap((part) => (part.startsWith(alarm) ? [...part.matchAll(/- \{ Id: (\w+)/g)].map(([, id = '']) => id) : []));

/** The indexes that the access patterns of docs/data-model.md read. */
const documented = [...read('docs/data-model.md').matchAll(/^\| [DL]\d+ \|.*$/gm)].flatMap(([row]) =>
  [...(row.split(' | ')[2] ?? '').matchAll(/`(by\w+)`/g)].map(([, index = '']) => index),
);

/** The kind of a field as docs/api.md calls it. */
const kindOf = (field: PlainField): string => ({ ...KINDS, email: 'text' })[field];

describe('a field', () => {
  const api = read('docs/api.md');
  const rowsOf = (table: string): string[] =>
    api.split(`\n| ${table} |`)[1]?.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  /** Each field of the table of fields with its kind, in the order of the rows. */
  const told = rowsOf('Field').flatMap((row) => {
    const [, names = '', kind = ''] = row.split('|').map((cell) => cell.trim());
    return names.split(', ').map((name) => [name, kind] as const);
  });

  test('has a row in the table of fields of docs/api.md, with its kind and in the order of validation', () => {
    const fields = PLAIN_FIELDS.filter(
      (field) => !told.some(([name, kind]) => name === field && kind === kindOf(field)),
    );
    const others = Object.keys(user.properties).filter((name) => !Object.hasOwn(FIELDS, name));
    const sent = Object.keys(userInput.properties);
    expect([
      ...fields.map((field) => `${field} is missing in the fields of docs/api.md, with the kind ${kindOf(field)}`),
      ...lacking(
        others,
        told.map(([name]) => name),
        'the fields of docs/api.md',
      ),
    ]).toEqual([]);
    expect(told.map(([name]) => name).filter((name) => sent.includes(name))).toEqual(sent);
  });

  test('has its filters in docs/api.md, each by its kind or its name', () => {
    /** The subject of a row, such as `text`, and its endings. */
    const rows = rowsOf('Filter').map((row) => {
      const [, first = ''] = row.split('| ');
      const names = [...first.matchAll(/`([\w.<>]+)`/g)].map(([, name = '']) => name);
      const kinds = [...first.matchAll(/<(?:(\w+) )?field>/g)].map(([, kind = 'any']) => kind);
      const endings = [...first.matchAll(/\.(\w+)`/g)].map(([, ending = '']) => ending);
      return { names, kinds, endings: endings.length > 0 ? endings : ['is'] };
    });
    const isTold = (name: string, { property, asks }: FieldFilter): boolean =>
      rows.some(
        ({ names, kinds, endings }) =>
          names.includes(name) ||
          (names.includes(property) && endings.includes(asks)) ||
          (Object.hasOwn(FIELDS, property) &&
            endings.includes(asks) &&
            (kinds.includes('any') || kinds.includes(kindOf(property as PlainField)))),
      );
    const untold = [...FILTERS].filter(([name, filter]) => !isTold(name, filter));
    const ofAttributes =
      rows.find(({ names, endings }) => names.includes(ANY_ATTRIBUTE) && !endings.includes('is'))?.endings ?? [];
    const [words = ''] = rowsOf('Filter').filter((row) => row.startsWith('| `q` |'));
    expect([
      ...new Set(
        untold.map(([name, { property, asks }]) => {
          const owner = Object.hasOwn(FIELDS, property) ? `<${kindOf(property as PlainField)} field>` : name;
          return `${owner}${owner === name || asks === 'is' ? '' : `.${asks}`} is missing in the filters of docs/api.md`;
        }),
      ),
      ...lacking(
        ATTRIBUTE_ASKS.filter((asks) => asks !== 'is'),
        ofAttributes,
        'the filters of attributes in docs/api.md',
      ),
      ...lacking(WORD_FIELDS, words.match(/\w+/g) ?? [], 'the row of q in docs/api.md'),
    ]).toEqual([]);
  });

  test('has a unique short name of one letter', () => {
    const rules = Object.entries(FIELDS);
    const shorts = [...rules.map(([, { short }]): string => short), ATTRIBUTES_SHORT];
    const taken = rules.filter(
      ([, { short }]) => shorts.filter((each) => each === short).length > 1 || !/^[a-z]$/.test(short),
    );
    expect(taken.map(([field, { short }]) => `short of ${field} in schemas/fields.ts cannot be "${short}"`)).toEqual(
      [],
    );
  });
});

test('an ending of filters has a definition of its own in the model that lists are compared with', () => {
  expect(lacking(Object.keys(PARTS), Object.keys(MODEL_PARTS), 'MODEL_PARTS of tests/support/model.ts')).toEqual([]);
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

describe('an endpoint', () => {
  const files = readdirSync(join(ROOT, 'functions')).map((file) => file.replace('.ts', ''));
  const names = Object.keys(functions);

  test('has the file of its name, as other functions have', () => {
    const others = files.filter((name) => !ENDPOINTS.some((endpoint) => endpoint.name === name));
    expect([...lacking(names, files, 'functions/'), ...lacking(others, names, 'functions of serverless.yml')]).toEqual(
      [],
    );
    for (const [name, { handler }] of Object.entries(functions)) expect(handler).toBe(`functions/${name}.handler`);
  });

  test('is in all that repeats it, and errors are: if not, run npm run derive', () => {
    expect(derivedFiles().flatMap(([file, text]) => (read(file) === text ? [] : [file]))).toEqual([]);
  });

  test('has permissions in known words', () => {
    const wrong = Object.entries(functions).filter(
      ([, { permissions }]) => !permissions?.every((word) => PERMISSION_WORDS.includes(word)),
    );
    expect(wrong.map(([name]) => `permissions of ${name}, a list of known words, or []`)).toEqual([]);
  });
});
