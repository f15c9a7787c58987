import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesLike, read } from '../support/files.ts';

/** An import of another file of the project. */
interface Import {
  file: string;
  /** Whether it goes away when the types are stripped. */
  isType: boolean;
}

/** Biome puts each at the beginning of a line. `import { type A }` stays when the types are stripped, so it is no type import. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gm;

const EXPRESSION = /(\btypeof\s+)?\bimport\('(\.[^']+)'\)/g;

function importsOf(file: string): Import[] {
  const source = read(file);
  return [...source.matchAll(STATEMENT), ...source.matchAll(EXPRESSION)].map(([, type, path = '']) => ({
    file: posix.join(posix.dirname(file), path),
    isType: type !== undefined,
  }));
}

/** The imports of each file. Files are named by their paths in the project. */
const imports = new Map(
  filesLike('{admin,functions,lib,schemas,tools}/**/*.{ts,tsx}').map((file) => [file, importsOf(file)]),
);

/** A file, and every file that it imports directly or through others, but for those that one file leads to. */
function reachedFrom(file: string, withTypes: boolean, end = ''): string[] {
  const reached = new Set([file]);
  for (const each of reached) {
    const next = each === end ? [] : (imports.get(each) ?? []);
    for (const { file, isType } of next) if (withTypes || !isType) reached.add(file);
  }
  return [...reached];
}

/** The imports in files like `from` of files like `to`, each as `a imports b`. */
const importsBetween = (from: RegExp, to: RegExp): string[] =>
  [...imports].flatMap(([file, all]) =>
    from.test(file) ? all.filter((each) => to.test(each.file)).map((each) => `${file} imports ${each.file}`) : [],
  );

/**
 * Readers follow a GET of one user first, so it must not lead through too many files. What leads to her past is another way.
 * Six say what each endpoint takes, in one place for all, which names the filters of lists. One says what attributes are, and one
 * what a line of JSON is.
 */
const MOST_FILES_OF_A_READ = 47;
const PAST = 'lib/changes/past.ts';

type Rule = [part: string, from: RegExp, mayNotImport: RegExp];

const PARTS: Rule[] = [
  ['the ground knows only itself', /^lib\/ground\//, /^(?!lib\/ground\/)/],
  ['dynamodb knows only the ground', /^lib\/dynamodb\//, /^(?!lib\/(dynamodb|ground)\/)/],
  ['columns know only themselves', /^lib\/columns\//, /^(?!lib\/columns\/)/],
  ['a function imports only lib, and the page that it serves', /^functions\//, /^(?!lib\/|admin\/)/],
  ['a schema imports only schemas', /^schemas\//, /^(?!schemas\/)/],
  ['what is served needs no tools', /^(functions|schemas|lib|admin)\//, /^tools\//],
  [
    'users know no HTTP, and nobody who is told of changes',
    /^lib\/(users|replica|changes|edits)\//,
    /^lib\/(http|rest|openapi|events|roots)\//,
  ],
  [
    'the journal knows nothing that reads it',
    /^lib\/replica\/(journal|entry|head|headChanges)\.ts/,
    /^lib\/(columns|changes)\/|^lib\/replica\/(fold|merge|upkeep|current|bases|merging|deltas)\./,
  ],
  [
    'a list reads deltas, and folds nothing',
    /^lib\/(users\/(lists|computing|cursor|order|place)|replica\/(current|bases|merging))\.ts/,
    /^lib\/replica\/(fold|merge|upkeep)\.|^lib\/changes\//,
  ],
  ['the replica knows nobody who reads changes', /^lib\/replica\//, /^lib\/changes\/(?!(keep|periods)\.ts$)/],
  ['nothing but tests needs tests', /^/, /^tests\//],
  ['the store in memory knows only itself', /^tools\/local\/memoryStore\//, /^(?!tools\/local\/memoryStore\/)/],
  [
    'the admin page knows only the contract',
    /^admin\/browser\//,
    /^(?!admin\/(browser\/|settings\.ts$)|schemas\/|lib\/users\/(fields|filters)\.ts$|lib\/http\/routes\.ts$|docs\/openapi\.d\.ts$)/,
  ],
];

describe('imports', () => {
  test.each(PARTS)('go one way: %s', (_, from, mayNotImport) => {
    expect(importsBetween(from, mayNotImport)).toEqual([]);
  });

  test('of packages are none in columns', () => {
    const sources = filesLike('lib/columns/*.ts').map(read);
    const packages = sources.flatMap((source) => source.match(/ from '(?!\.|node:)[^']+'/g) ?? []);
    expect(sources.length).toBeGreaterThan(5);
    expect(packages).toEqual([]);
  });

  test(`lead from a GET of one user to at most ${MOST_FILES_OF_A_READ} files`, () => {
    const files = reachedFrom('functions/getUser.ts', false, PAST);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length, files.toSorted().join('\n')).toBeLessThanOrEqual(MOST_FILES_OF_A_READ);
  });

  test('lead from a GET of one user to no list, no fold and no replica, even through types', () => {
    const files = reachedFrom('functions/getUser.ts', true);
    expect(files.length).toBeGreaterThan(reachedFrom('functions/getUser.ts', false).length);
    expect(
      files.filter((file) =>
        /\/(lists|fold|verify)[./]|^lib\/replica\/current|^lib\/columns\/(?!(definition|mixed|text)\.ts$)/.test(file),
      ),
    ).toEqual([]);
  });
});
