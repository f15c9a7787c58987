import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as validators from '../../lib/http/request/validators.ts';
import { bundle, bundleOptions, type Contents, FUNCTIONS, ROOT } from '../support/bundles.ts';

const KB = 1_024;

/** A function that reads and writes no users. */
const SMALL = ['unknownRoute', 'getOpenApi', 'getDocs', 'getDocsFile', 'getAdmin', 'authorizer'];

const bundles: Record<string, Contents> = {};

beforeAll(async () => {
  for (const name of FUNCTIONS) bundles[name] = await bundle(name);
});

const modulesOf = (name: string): string[] => Object.keys(bundles[name]?.modules ?? {});

const ONE_USER = ['getUser', 'createUser', 'replaceUser', 'patchUser', 'deleteUser'];
const CHANGES = ['listChanges', 'listUserChanges', 'eraseUserChanges'];
const COLLECTIONS = ['listUsers', 'listUsersByCursor', 'listAllUsers', 'searchUsers'];

/** The functions that need each part. No other function may have it. */
const PARTS: [part: string, pattern: RegExp, functions: string[]][] = [
  ['the SDK', /@aws-sdk\//, [...ONE_USER, ...COLLECTIONS, ...CHANGES, 'fold', 'sendEvents']],
  ['changes', /^lib\/users\/changes\/(feed|history)/, [...CHANGES, 'sendEvents']],
  ['the client of EventBridge', /@aws-sdk\/client-eventbridge\//, ['sendEvents']],
  ['the fold', /^lib\/users\/(fold\/|tree\/write)/, ['fold']],
  ['tokens', /node_modules\/jose\//, ['authorizer']],
  ['the OpenAPI document', /^lib\/openapi\/(document|operations)/, ['getOpenApi']],
  ['listing', /^lib\/users\/listing\//, COLLECTIONS],
  ['writing', /^lib\/users\/(store|write|idempotency)\.ts/, ONE_USER.filter((name) => name !== 'getUser')],
  ['CSV', /csv-stringify/, COLLECTIONS],
  ['the admin page', /^lib\/admin\//, ['getAdmin', 'getAdminFile']],
  ['the grammar of addresses', /node_modules\/validator\//, ['createUser', 'replaceUser', 'patchUser']],
  [
    'the parser of bodies',
    /^lib\/http\/request\/body|http-json-body-parser/,
    ['createUser', 'replaceUser', 'patchUser'],
  ],
  ['JSON Patch', /^lib\/http\/request\/jsonPatch/, ['patchUser']],
  ['the validator of users', /^validator:isUserInput/, ['createUser', 'replaceUser', 'patchUser']],
  ['the validator of merge patches', /^validator:isMergePatch/, ['patchUser']],
  ['the validator of JSON patches', /^validator:isJsonPatch/, ['patchUser']],
  ['the validator of filters', /^validator:isFilter/, COLLECTIONS],
];

describe('a bundle', () => {
  test.each(PARTS)('has %s only if its function needs it', (_, pattern, functions) => {
    const having = FUNCTIONS.filter((name) => modulesOf(name).some((path) => pattern.test(path)));
    expect(having.toSorted()).toEqual(functions.toSorted());
  });

  test.each(FUNCTIONS)('of %s has no schema compiler, no credential search and no tools', (name) => {
    const needless =
      /ajv\/dist\/(ajv|core|compile|standalone)|credential-provider|nested-clients|^lib\/tooling\/(?!deploy\/standIns\/)|node_modules\/yaml/;
    expect(modulesOf(name).filter((path) => needless.test(path))).toEqual([]);
  });

  test.each(FUNCTIONS)('of %s stays small', (name) => {
    const ceiling = SMALL.includes(name) ? 90 : ['patchUser', ...COLLECTIONS].includes(name) ? 710 : 610;
    expect((bundles[name]?.bytes ?? Number.NaN) / KB).toBeLessThan(ceiling);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'validators-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { ajv: _, ...compiled } = validators;

/** The module as it is bundled. */
async function loadBundled(): Promise<typeof compiled> {
  const outfile = join(folder, 'validators.cjs');
  await build({ ...bundleOptions(), entryPoints: [join(ROOT, 'lib/http/request/validators.ts')], outfile });
  return (await import(outfile)).default;
}

type Name = keyof typeof compiled;

const remove = { op: 'remove', path: '/age' };
const ANYTHING = [undefined, null, true, 7, Number.NaN, 'text', [], {}, [[]], [null], { __proto__: null }];

/** Accepted values, and values that fail each rule of the schema. */
const CORPUS: Record<Name, { accepted: unknown[]; refused: unknown[] }> = {
  isUserInput: {
    accepted: [
      { name: 'Ann' },
      { name: '😀'.repeat(200), email: 'josé@example.com', age: 2 ** 53 - 1, status: 'x'.repeat(64), country: 'ß' },
      { name: 'Ann', email: null, age: null, firstName: null, lastName: null, status: null, country: null },
      { name: 'Ann', firstName: '', unknown: { deep: [] }, id: 'x' },
    ],
    refused: [
      ...ANYTHING,
      { name: null },
      { name: ' \u00A0' },
      { name: 'x'.repeat(201) },
      { name: 'a\0b' },
      { name: 'a\uD800' },
      { name: '\u{1D160}'.repeat(67) },
      { name: 7, email: 7, age: '7', firstName: 7, lastName: [], status: {}, country: true },
      { email: 'ann', age: -1, firstName: 'x'.repeat(201), lastName: 'a\u0085', status: '', country: 'x'.repeat(65) },
      { name: 'Ann', age: 1.5 },
      { name: 'Ann', age: 2 ** 53 },
      { name: 'Ann', email: `${'a'.repeat(65)}@example.com` },
    ],
  },
  isMergePatch: { accepted: [{}, { name: null, more: [] }], refused: [undefined, null, true, 7, 'text', [], [{}]] },
  isJsonPatch: {
    accepted: [
      [],
      [remove, { op: 'add', path: '/name', value: null }, { op: 'move', path: '/name', from: '/email', more: 1 }],
      Array(100).fill(remove),
    ],
    refused: [
      ...ANYTHING.filter((value) => !Array.isArray(value) || value.length > 0),
      ['add'],
      [{}],
      [{ op: 'add', path: '/name' }],
      [{ op: 'copy', path: '/name' }],
      [{ op: 'spell', path: '/name', value: 1 }],
      [{ op: 'remove' }],
      [{ op: 'remove', path: 7 }],
      [{ op: 'remove', path: 'age' }],
      [{ op: 'remove', path: '/~2' }],
      [{ op: 'test', path: `/${'x'.repeat(1_000)}`, value: 1 }, remove, { op: 7, path: '/x', from: [] }],
      Array(101).fill(remove),
    ],
  },
  isFilterParameters: {
    accepted: [
      {},
      { status: '', country: 'x'.repeat(64), email: 'x'.repeat(254), keyword: 'x'.repeat(200) },
      { 'age.gte': '-1', 'createdAt.lt': '2024-02-29T23:59:59.5-12:00', 'name.startsWith': 'x'.repeat(200) },
    ],
    refused: [
      ...ANYTHING.filter((value) => typeof value !== 'object' || value === null || Array.isArray(value)),
      { email: 'é'.repeat(128), status: 'x'.repeat(64) },
      { status: 'x'.repeat(65), country: '\0', email: 'x'.repeat(255), keyword: 'x'.repeat(201) },
      { status: 7, other: 'x' },
      { 'age.gte': '1e3', 'createdAt.lt': '2023-02-29' },
      { keyword: null },
    ],
  },
};

describe('a bundled validator', () => {
  test.each(Object.entries(CORPUS))(
    'of %s accepts and refuses the same values as the compiled one, with the same errors',
    async (key, corpus) => {
      const name = key as Name;
      const bundled = (await loadBundled())[name];
      const judge = (validate: typeof bundled, value: unknown) => ({
        accepts: validate(value),
        errors: validate.errors,
      });
      for (const accepts of [true, false]) {
        for (const value of accepts ? corpus.accepted : corpus.refused) {
          const expected = judge(compiled[name], value);
          expect(expected, JSON.stringify(value)).toMatchObject({ accepts });
          expect(judge(bundled, value), JSON.stringify(value)).toEqual(expected);
        }
      }
    },
  );

  test('has a corpus in this test', async () => {
    expect(Object.keys(await loadBundled()).toSorted()).toEqual(Object.keys(CORPUS).toSorted());
  });
});
