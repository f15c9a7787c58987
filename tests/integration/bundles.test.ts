import { describe, expect, test } from 'vitest';
import { type Operation, WORDS } from '../../lib/http/routes.ts';
import { OPERATIONS } from '../../lib/openapi/operations.ts';
import type { PermissionWord } from '../../tools/deploy/permissions.ts';
import { ENDPOINTS } from '../../tools/samples/endpoints.ts';
import { bundle, FUNCTIONS, wordsOf } from '../support/bundles.ts';

/** The functions that neither read nor write users. */
const SMALL = ['unknownRoute', 'getOpenApi', 'getDocs', 'getDocsFile', 'getAdmin', 'authorizer'];

const bundles = new Map(await Promise.all(FUNCTIONS.map(async (name) => [name, await bundle(name)] as const)));

const modulesOf = (name: string): string[] => Object.keys(bundles.get(name)?.modules ?? {});

/** The endpoints that take a body with a schema of some names. */
const taking = (schema: RegExp): string[] =>
  ENDPOINTS.map(({ name }) => name).filter((name) =>
    schema.test(JSON.stringify(OPERATIONS[name as Operation].body ?? '')),
  );

/** With users in it, or patches of users. */
const WITH_USERS = taking(/"(UserInput|UserMergePatch|Batch|EditInput)"/);
const WITH_BODY = taking(/\w/);
const COLLECTIONS = ['countUsers', 'listUsers', 'listUsersByCursor', 'listAllUsers', 'searchUsers'];

/** The functions with one of some permissions. */
const allowed = (...words: PermissionWord[]): string[] =>
  FUNCTIONS.filter((name) => wordsOf(name).some((word) => words.includes(word)));

/** They use what lists use. */
const WITH_LISTS = allowed('readLists');

/** KB. An edit lists, and writes what a patch makes of users. */
const CEILINGS: [names: string[], kilobytes: number][] = [
  [SMALL, 130],
  [['editUsers'], 650],
  [['patchUser', 'batchUsers', ...COLLECTIONS], 540],
];

/** The files that a reader of the service follows: what a package does is told by its face. */
const ownOf = (name: string): string[] =>
  modulesOf(name).filter((path) => /^(functions|schemas|lib\/(?!(columns|dynamodb|ground|replica|rest)\/))/.test(path));

/** Of those of a stage whose lists come from OpenSearch. */
const WITH_SEARCH = [...WITH_LISTS, 'fold'];
const searching = new Map(
  await Promise.all(WITH_SEARCH.map(async (name) => [name, await bundle(name, 'opensearch')] as const)),
);

describe('a bundle', () => {
  test('has the replica or the index, by the setting of its stage, and never both', () => {
    const ofReplica = /^lib\/(columns\/(asked|changed)|replica\/(replica|merge|storedBase)\.)|^lib\/users\/lists/;
    const ofIndex = /^lib\/(search\/|replica\/(recent|following)\.)|signature-v4/;
    const having = (all: typeof bundles, pattern: RegExp) =>
      [...all]
        .filter(([, { modules }]) => Object.keys(modules).some((path) => pattern.test(path)))
        .map(([name]) => name);
    expect(having(bundles, ofReplica).toSorted()).toEqual(WITH_SEARCH.toSorted());
    expect(having(bundles, /^lib\/(search\/|replica\/(recent|following)\.)/)).toEqual([]);
    expect(having(searching, ofIndex).toSorted()).toEqual(WITH_SEARCH.toSorted());
    expect(having(searching, /^lib\/(columns\/(asked|changed)\/|replica\/replica\.)|^lib\/users\/lists/)).toEqual([]);
  });

  test.each([
    ['getUser', 25],
    ['createUser', 32],
    ['listUsers', 39],
    ['editUsers', 66],
  ])('of %s has at most %i files of the service itself', (name, most) => {
    const own = ownOf(name);
    expect(own).toContain(`functions/${name}.ts`);
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(most);
  });

  test('has nothing that the document and the template say of an endpoint, unless it serves the document', () => {
    const said = ENDPOINTS.flatMap(({ name, does, examples }) => {
      const { summary, description } = OPERATIONS[name as Operation];
      return [summary, description, does, ...examples.map(({ title }) => title)];
    }).flatMap((text) => text?.match(/[A-Za-z ,]{20,}/g) ?? []);
    // Each function has the help for paths.
    const isHelp = (text: string) => WORDS.some(({ there }) => there.includes(text));
    const words = [...new Set(said)].filter((text) => !isHelp(text));
    const found = [...bundles].flatMap(([name, { text }]) =>
      words.flatMap((word) => (text.includes(word) ? [`${name}: ${word}`] : [])),
    );
    expect(found.filter((each) => !each.startsWith('getOpenApi:'))).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
  });

  test.each<[part: string, pattern: RegExp, functions: string[]]>([
    ['the SDK', /@aws-sdk\//, FUNCTIONS.filter((name) => wordsOf(name).length > 0)],
    ['the past of a user', /^lib\/changes\/history/, [...allowed('readHistory', 'eraseHistory'), 'editUsers']],
    ['changes', /^lib\/changes\/feed/, ['listChanges', 'sendEvents']],
    ['the client of EventBridge', /@aws-sdk\/client-eventbridge\//, ['sendEvents']],
    ['the fold', /^lib\/replica\/(fold|merge|maintenance)\./, ['fold']],
    ['tokens', /node_modules\/jose\//, ['authorizer']],
    ['the OpenAPI document', /^lib\/openapi\/(document|operations)/, ['getOpenApi']],
    ['the replica', /^lib\/(columns\/changed\/replica|replica\/current)/, [...WITH_LISTS, 'fold']],
    ['lists', /^lib\/users\/lists/, WITH_LISTS],
    ['writing', /^lib\/users\/(store|write|idempotency|lives)\.ts/, allowed('putUsers', 'deleteUsers')],
    ['CSV', /csv-stringify/, COLLECTIONS.slice(1)],
    ['the admin page', /^admin\//, ['getAdmin', 'getAdminFile']],
    ['the grammar of addresses', /^lib\/http\/request\/formats/, WITH_USERS],
    ['the parser of bodies', /^lib\/rest\/body|http-json-body-parser/, WITH_BODY],
    ['JSON Patch', /^lib\/rest\/patches/, ['patchUser', 'batchUsers', 'editUsers']],
    ['the validator of users', /validators\.ts\?isUserInput/, WITH_USERS],
    ['the validators of patches', /validators\.ts\?is(Merge|Json)Patch/, ['patchUser', 'batchUsers', 'editUsers']],
    ['filters', /^lib\/http\/parameters\/filters/, [...WITH_LISTS, 'getOpenApi']],
  ])('has %s only if its function needs it: the lists of this file say which', (_, pattern, functions) => {
    const having = FUNCTIONS.filter((name) => modulesOf(name).some((path) => pattern.test(path)));
    expect(having.toSorted()).toEqual(functions.toSorted());
  });

  test.each(FUNCTIONS)(
    'of %s stays small, without a compiler of schemas, a search for credentials, streams of events and tools',
    (name) => {
      const needless =
        /ajv\/dist\/(ajv|core|compile|standalone)|credential-provider|nested-clients|event-streams|^tools\/(?!deploy\/standIns\/)|node_modules\/yaml/;
      expect(modulesOf(name).filter((path) => needless.test(path))).toEqual([]);
      // With air for several fields: each adds up to four KB.
      const ceiling = CEILINGS.find(([names]) => names.includes(name))?.[1] ?? 430;
      const size = (bundles.get(name)?.bytes ?? Number.NaN) / 1_024;
      expect(size, `KB of ${name}; it is in other lists of this file if it needs more`).toBeLessThan(ceiling);
    },
  );
});
