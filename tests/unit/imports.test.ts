import { describe, expect, test } from 'vitest';
import { importsBetween, reachedFrom, readImports } from '../support/imports.ts';

/** Readers follow a GET of one user first, so it must not lead through too many files. What leads to her past is another way. */
const MOST_FILES_OF_A_READ = 38;
const PAST = 'lib/roots/past.ts';

const imports = readImports();

type Rule = [part: string, from: RegExp, mayNotImport: RegExp];

const PARTS: Rule[] = [
  ['lib/dynamodb knows neither users nor HTTP', /^lib\/dynamodb\//, /^lib\/(users|http)\//],
  ['a function imports only lib, and the page that it serves', /^functions\//, /^(?!lib\/|admin\/)/],
  ['a schema imports only schemas', /^schemas\//, /^(?!schemas\/)/],
  ['what is served needs no tools', /^(functions|schemas|lib|admin)\//, /^tools\//],
  [
    'users know no HTTP, and nobody who is told of changes',
    /^lib\/users\//,
    /^lib\/(http|openapi|auth|events|roots)\//,
  ],
  ['the tree knows no users', /^lib\/users\/tree\//, /^lib\/users\/(?!tree\/|(text|hash)\.ts$)/],
  ['statistics know no reader', /^lib\/users\/counts\//, /^lib\/users\/(fold|listing|rebuild)\//],
  ['the fold knows nobody who reads changes', /^lib\/users\/fold\//, /^lib\/users\/changes\/(?!(keep|periods)\.ts$)/],
  [
    'the admin page knows only the contract',
    /^admin\/browser\//,
    /^(?!admin\/(browser\/|settings\.ts$)|schemas\/|lib\/users\/fields\.ts$|lib\/http\/routes\.ts$|docs\/openapi\.d\.ts$)/,
  ],
  ['the journal knows nothing that reads it', /^lib\/users\/journal\//, /^lib\/users\/(counts|fold|listing|rebuild)\//],
  ['a listing changes no statistics', /^lib\/users\/listing\//, /^lib\/users\/(fold|rebuild)\//],
];

describe('imports', () => {
  test.each(PARTS)('go one way: %s', (_, from, mayNotImport) => {
    expect(importsBetween(imports, from, mayNotImport)).toEqual([]);
  });

  test(`lead from a GET of one user to at most ${MOST_FILES_OF_A_READ} files`, () => {
    const files = reachedFrom(new Map(imports).set(PAST, []), 'functions/getUser.ts', false);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length, files.toSorted().join('\n')).toBeLessThanOrEqual(MOST_FILES_OF_A_READ);
  });

  test('lead from a GET of one user to no listing and no fold, even through types', () => {
    const files = reachedFrom(imports, 'functions/getUser.ts', true);
    expect(files.length).toBeGreaterThan(reachedFrom(imports, 'functions/getUser.ts', false).length);
    expect(files.filter((file) => /\/(listing|fold|counts|rebuild)[./]/.test(file))).toEqual([]);
  });

  test('of values and of types are found, in statements and in expressions', () => {
    const importsOf = (file: string) => imports.get(`tools/${file}`)?.map(({ file, isType }) => [file, isType]);
    expect(importsOf('deploy/validators.ts')).toContainEqual(['lib/http/request/validators.ts', true]);
    expect(importsOf('import/sendUser.ts')).toEqual([
      ['lib/users/user.ts', false],
      ['tools/import/client.ts', true],
      ['tools/import/stop.ts', false],
    ]);
  });
});
