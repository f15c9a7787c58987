import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as validators from '../../lib/http/request/validators.ts';
import { filters } from '../../schemas/filters.ts';
import { bundle, bundleOptions, type Contents, FUNCTIONS, ROOT } from '../support/bundles.ts';
import { jsonPatch, TEXTS, user, value } from '../support/hostile.ts';
import { temporaryFolder } from '../support/programs.ts';

const KB = 1_024;

/** The functions that neither read nor write users. */
const SMALL = ['unknownRoute', 'getOpenApi', 'getDocs', 'getDocsFile', 'getAdmin', 'authorizer'];

const bundles: Record<string, Contents> = {};

beforeAll(async () => {
  for (const name of FUNCTIONS) bundles[name] = await bundle(name);
});

const modulesOf = (name: string): string[] => Object.keys(bundles[name]?.modules ?? {});

const WITH_BODY = ['createUser', 'replaceUser', 'patchUser'];
const ONE_USER = ['getUser', 'deleteUser', ...WITH_BODY];
const CHANGES = ['listChanges', 'listUserChanges', 'eraseUserChanges'];
const COLLECTIONS = ['countUsers', 'listUsers', 'listUsersByCursor', 'listAllUsers', 'searchUsers'];

describe('a bundle', () => {
  test.each<[part: string, pattern: RegExp, functions: string[]]>([
    ['the SDK', /@aws-sdk\//, [...ONE_USER, ...COLLECTIONS, ...CHANGES, 'fold', 'sendEvents']],
    ['the past of a user', /^lib\/users\/changes\/history/, [...CHANGES.slice(1), 'listChanges', 'getUser']],
    ['changes', /^lib\/users\/changes\/feed/, [...CHANGES, 'sendEvents']],
    ['the client of EventBridge', /@aws-sdk\/client-eventbridge\//, ['sendEvents']],
    ['the fold', /^lib\/users\/(fold\/|tree\/write)/, ['fold']],
    ['tokens', /node_modules\/jose\//, ['authorizer']],
    ['the OpenAPI document', /^lib\/openapi\/(document|operations)/, ['getOpenApi']],
    ['listing', /^lib\/users\/listing\//, COLLECTIONS],
    ['writing', /^lib\/users\/(store|write|idempotency)\.ts/, ['deleteUser', ...WITH_BODY]],
    ['CSV', /csv-stringify/, COLLECTIONS.slice(1)],
    ['the admin page', /^admin\//, ['getAdmin', 'getAdminFile']],
    ['the grammar of addresses', /^lib\/http\/request\/addresses/, WITH_BODY],
    ['the parser of bodies', /^lib\/http\/request\/body|http-json-body-parser/, WITH_BODY],
    ['JSON Patch', /^lib\/http\/request\/jsonPatch/, ['patchUser']],
    ['the validator of users', /^validator:isUserInput/, WITH_BODY],
    ['the validators of patches', /^validator:is(Merge|Json)Patch/, ['patchUser']],
    ['the validator of filters', /^validator:isFilter/, COLLECTIONS],
  ])('has %s only if its function needs it: the lists of this file say which', (_, pattern, functions) => {
    const having = FUNCTIONS.filter((name) => modulesOf(name).some((path) => pattern.test(path)));
    expect(having.toSorted()).toEqual(functions.toSorted());
  });

  test.each(FUNCTIONS)(
    'of %s stays small, without a compiler of schemas, a search for credentials and tools',
    (name) => {
      const needless =
        /ajv\/dist\/(ajv|core|compile|standalone)|credential-provider|nested-clients|^tools\/(?!deploy\/standIns\/)|node_modules\/yaml/;
      expect(modulesOf(name).filter((path) => needless.test(path))).toEqual([]);
      const ceiling = SMALL.includes(name) ? 95 : ['patchUser', ...COLLECTIONS].includes(name) ? 730 : 610;
      expect((bundles[name]?.bytes ?? Number.NaN) / KB).toBeLessThan(ceiling);
    },
  );
});

const folder = temporaryFolder();

const { ajv: _, ...compiled } = validators;

type Name = keyof typeof compiled;

/** The validators as they are bundled. */
async function loadBundled(): Promise<typeof compiled> {
  const outfile = join(folder, 'validators.cjs');
  await build({ ...bundleOptions(), entryPoints: [join(ROOT, 'lib/http/request/validators.ts')], outfile });
  return (await import(outfile)).default;
}

const SEED = Number(process.env.BUNDLES_SEED ?? 20_261_123);
const VALUES = 2_000;

const filterValue = fc.oneof(fc.constantFrom<unknown>('-1', '1e3', '2024-02-29', '2023-02-29', ...TEXTS), value);
const filterName = fc.constantFrom(...Object.keys(filters.properties), 'x');

/** Values for each validator, which accepts some of them and refuses others. */
const HOSTILE: Record<Name, fc.Arbitrary<unknown>> = {
  isUserInput: user,
  isMergePatch: value,
  isJsonPatch: fc.oneof(
    { arbitrary: jsonPatch, weight: 9 },
    fc.constantFrom(100, 101).map((length) => Array(length).fill({ op: 'remove', path: '/age' })),
  ),
  isFilterParameters: fc.array(fc.tuple(filterName, filterValue), { maxLength: 3 }).map(Object.fromEntries),
};

test('bundled validators accept and refuse the same values as the compiled ones, with the same errors', async () => {
  const bundled = await loadBundled();
  expect(Object.keys(bundled).toSorted()).toEqual(Object.keys(HOSTILE).toSorted());
  for (const [key, arbitrary] of Object.entries(HOSTILE)) {
    const name = key as Name;
    const judge = (validate: (typeof bundled)[Name], given: unknown) => [validate(given), validate.errors];
    const values = fc.oneof({ arbitrary, weight: 9 }, value, fc.constant(undefined));
    let accepted = 0;
    for (const given of fc.sample(values, { seed: SEED, numRuns: VALUES })) {
      const expected = judge(compiled[name], given);
      expect(judge(bundled[name], given), `${name} of ${JSON.stringify(given)}`).toEqual(expected);
      if (expected[0]) accepted++;
    }
    expect(Math.min(accepted, VALUES - accepted), name).toBeGreaterThan(20);
  }
});
