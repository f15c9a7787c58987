import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as validators from '../../lib/http/request/validators.ts';
import { filters } from '../../schemas/filters.ts';
import { bundle, bundleOptions, type Contents, FUNCTIONS, ROOT } from '../support/bundles.ts';
import { jsonPatch, TEXTS, user, value } from '../support/hostile.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const KB = 1_024;

/** The functions that neither read nor write users. */
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

  test.each(FUNCTIONS)('of %s has no compiler of schemas, no search for credentials and no tools', (name) => {
    const needless =
      /ajv\/dist\/(ajv|core|compile|standalone)|credential-provider|nested-clients|^lib\/tooling\/(?!deploy\/standIns\/)|node_modules\/yaml/;
    expect(modulesOf(name).filter((path) => needless.test(path))).toEqual([]);
  });

  test.each(FUNCTIONS)('of %s stays small', (name) => {
    const ceiling = SMALL.includes(name) ? 90 : ['patchUser', ...COLLECTIONS].includes(name) ? 720 : 610;
    expect((bundles[name]?.bytes ?? Number.NaN) / KB).toBeLessThan(ceiling);
  });
});

const folder = temporaryFolder();

const { ajv: _, ...compiled } = validators;

/** Loads the validators as they are bundled. */
async function loadBundled(): Promise<typeof compiled> {
  const outfile = join(folder, 'validators.cjs');
  await build({ ...bundleOptions(), entryPoints: [join(ROOT, 'lib/http/request/validators.ts')], outfile });
  return (await import(outfile)).default;
}

type Name = keyof typeof compiled;

const SEED = Number(process.env.BUNDLES_SEED ?? 20_261_123);
const VALUES = 2_000;

const remove = { op: 'remove', path: '/age' };
const filterValue = fc.oneof(fc.constantFrom<unknown>('-1', '1e3', '2024-02-29', '2023-02-29', ...TEXTS), value);
const filterRecord = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(filters.properties), 'x'), filterValue), { maxLength: 3 })
  .map(Object.fromEntries);

/** Values for each validator, which accepts some of them and refuses others. */
const HOSTILE: Record<Name, fc.Arbitrary<unknown>> = {
  isUserInput: user,
  isMergePatch: value,
  isJsonPatch: fc.oneof(
    { arbitrary: jsonPatch, weight: 9 },
    fc.constantFrom(100, 101).map((length) => Array(length).fill(remove)),
  ),
  isFilterParameters: filterRecord,
};

describe('a bundled validator', () => {
  test.each(Object.entries(HOSTILE))(
    'of %s accepts and refuses the same values as the compiled one, with the same errors',
    async (key, arbitrary) => {
      const name = key as Name;
      const bundled = (await loadBundled())[name];
      const judge = (validate: typeof bundled, given: unknown) => ({
        accepts: validate(given),
        errors: validate.errors,
      });
      let accepted = 0;
      for (const given of fc.sample(fc.oneof({ arbitrary, weight: 9 }, value, fc.constant(undefined)), {
        seed: SEED,
        numRuns: VALUES,
      })) {
        const expected = judge(compiled[name], given);
        expect(judge(bundled, given), JSON.stringify(given)).toEqual(expected);
        if (expected.accepts) accepted++;
      }
      expect(accepted).toBeGreaterThan(20);
      expect(VALUES - accepted).toBeGreaterThan(20);
    },
  );

  test('of every name has values in this test', async () => {
    expect(Object.keys(await loadBundled()).toSorted()).toEqual(Object.keys(HOSTILE).toSorted());
  });
});
