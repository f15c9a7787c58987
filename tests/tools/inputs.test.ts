import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inParallel } from '../../lib/ground/index.ts';
import { read, SCRIPTS } from '../support/files.ts';
import { runProgram, temporaryFolder } from '../support/programs.ts';

/** The programs for those who run a stage or bring users, by their files. */
const PROGRAMS = new Map(
  Object.entries(SCRIPTS).flatMap(([name, script]) => {
    const [, file = ''] = /^node tools\/node\.cjs && node (\S+\.ts)$/.exec(script) ?? [];
    return file === '' ? [] : [[name, file] as const];
  }),
);

/** Programs that only test or measure. */
const FOR_DEVELOPERS = [
  ...['bench', 'bench:dollars', 'bench:start', 'lint:templates', 'mutants', 'derive', 'rehearse', 'soak'],
  ...['first-stage', 'test:clients', 'test:dynamodb-local', 'test:opensearch'],
];

const folder = temporaryFolder();

/** A file with this content. */
function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const USERS = file('users.csv', 'name,externalId\nAnn,1\n');
const NOBODY = 'http://127.0.0.1:1';
const IMPORT = ['--url', NOBODY, '--file', USERS];
const DRY = ['--dry-run', '--file'];

/** Wrong options, and a part of the message. */
type Wrong = readonly [options: readonly string[], message: string];

interface Inputs {
  emptyList: readonly Wrong[];
  emptyText: readonly Wrong[];
  misspelt: readonly Wrong[];
  wrongKind: readonly Wrong[];
}

const UNKNOWN = "Unknown option '--";

/** The inputs that each program must refuse before it does anything. A new program needs a row. */
const INPUTS: Readonly<Record<string, Inputs>> = {
  seed: {
    emptyList: [[['--users', '0'], '--users must be an integer from 1 on']],
    emptyText: [[['--users', ''], '--users is missing']],
    misspelt: [[['--user', '5'], UNKNOWN]],
    wrongKind: [
      [['--users', 'many'], '--users must be'],
      [['--port', 'x'], '--port must be'],
      [['5000'], 'options go after --'],
    ],
  },
  deploy: {
    emptyList: [[[], '--stage is missing']],
    emptyText: [
      [['--stage', ''], '--stage is missing'],
      [['--stage', 'x', '--url', ''], '--url is missing'],
    ],
    misspelt: [[['--stag', 'x'], UNKNOWN]],
    wrongKind: [
      [['--stage', 'x', '--url', 'a.example'], 'lacks http'],
      [['--stage', 'a b'], 'is no name of a stage'],
    ],
  },
  smoke: {
    emptyList: [[[], 'The base URL is missing']],
    emptyText: [[[''], 'An argument is empty']],
    misspelt: [
      [['htp://a.example'], 'lacks http'],
      [['--url', NOBODY], UNKNOWN],
    ],
    wrongKind: [
      [['5'], 'lacks http'],
      [[NOBODY, NOBODY], 'Only one argument is read'],
    ],
  },
  import: {
    emptyList: [
      [[...DRY, file('none.json', '[]')], 'has not one user per line'],
      [[...DRY, file('empty.csv', '')], 'is empty'],
      [[...DRY, USERS, '--name-from', ','], '--name-from , must name columns'],
    ],
    emptyText: [
      [['--url', '', '--file', USERS], '--url is missing'],
      [[...IMPORT, '--map', ''], '--map is missing'],
      [[...IMPORT, '--map', '=name'], '--map =name must be'],
    ],
    misspelt: [
      [[...IMPORT, '--typd'], UNKNOWN],
      [[...DRY, USERS, '--map', 'Nme=lastName'], 'has no column "Nme"'],
      [[...DRY, USERS, '--map', 'name=nme'], 'there is no field nme'],
      [[...DRY, USERS, '--ignore', 'Nme'], 'has no column "Nme"'],
      [[...DRY, USERS, '--name-from', 'Nme'], 'has no column "Nme"'],
      [[...DRY, USERS, '--attributes', '--typed', '--text', 'scor'], 'has no column for "attributes.scor"'],
      [[...DRY, USERS, '--created', 'Since'], 'has no column "Since"'],
      [[...DRY, USERS, '--by', 'externalid'], '--by must be externalId'],
    ],
    wrongKind: [
      [[...IMPORT, '--parallel', 'x'], '--parallel must be'],
      [[...IMPORT, '--by', 'externalId', '--at-most', '-'], '--at-most must be'],
      [[...IMPORT, '--url', 'http://b.example'], '--url is there twice'],
      [[...DRY, file('number.json', '7\n')], 'The first row of'],
      [[...DRY, folder], 'EISDIR'],
    ],
  },
  export: {
    emptyList: [
      [['--url', NOBODY, '--filter', 'id='], '--filter id= must be'],
      [['--url', NOBODY, '--fields', ''], '--fields is missing'],
    ],
    emptyText: [
      [['--url', ''], '--url is missing'],
      [['--url', NOBODY, '--file', ''], '--file is missing'],
    ],
    misspelt: [
      [['--url', NOBODY, '--filtr', 'a=1'], UNKNOWN],
      [['--url', NOBODY, '--format', 'cvs'], '--format must be'],
    ],
    wrongKind: [
      [['--url', NOBODY, '--filter', 'email.missing'], 'must be <name>=<value>'],
      [['--url', 'x'], 'lacks http'],
    ],
  },
  door: {
    emptyList: [[[], 'The name of the door is missing']],
    emptyText: [
      [[''], 'An argument is empty'],
      [['scim', '--url', ''], '--url is missing'],
      [['scim', '--url', NOBODY, '--token', ''], '--token is missing'],
    ],
    misspelt: [
      [['scmi'], 'There is no door scmi'],
      [['scim', '--uri', NOBODY], UNKNOWN],
    ],
    wrongKind: [
      [['scim', 'follow'], 'Name one door only'],
      [['scim', '--url', 'x', '--token', 'y'], 'lacks http'],
    ],
  },
  verify: {
    emptyList: [[['all'], "Unexpected argument 'all'"]],
    emptyText: [
      [['--stage', ''], '--stage is missing'],
      [['--port', ''], '--port is missing'],
    ],
    misspelt: [[['--repiar'], UNKNOWN]],
    wrongKind: [
      [['--port', 'x'], '--port must be'],
      [['--region', 'eu-central-1'], '--region goes with --stage'],
    ],
  },
  lists: {
    emptyList: [[[], '--stage is missing']],
    emptyText: [
      [['--stage', '', '--drop'], '--stage is missing'],
      [['--stage', 'dev', '--to', ''], '--to is missing'],
    ],
    misspelt: [[['--stage', 'dev', '--too', 'replica'], UNKNOWN]],
    wrongKind: [
      [['--stage', 'dev', '--to', 'elastic'], '--to is opensearch or replica, not elastic'],
      [['--stage', 'dev', '--to', 'replica', '--drop'], 'Say one of --to, --anew and --drop'],
      [['--stage', 'dev stage', '--drop'], 'is no name of a stage'],
      [['--stage', 'dev', '--to', 'opensearch'], '--url is missing'],
      [['--stage', 'dev', '--to', 'opensearch', '--url', 'search', '--shards', '0'], '--url is an address'],
      [['--stage', 'dev', '--anew', '--url', 'http://search.example.com'], '--url is an address such as https'],
      [['--stage', 'dev', '--anew', '--url', 'http://localhost:9200', '--shards', '0'], '--shards is a number'],
      [['--stage', 'dev', '--drop', '--url', 'https://search.example.com'], '--url and --shards go with'],
      [['--stage', 'dev', '--to', 'replica', '--shards', '2'], '--url and --shards go with'],
    ],
  },
  drill: {
    emptyList: [[[], '--stage is missing']],
    emptyText: [
      [['--stage', ''], '--stage is missing'],
      [['--stage', 'x', '--region', ''], '--region is missing'],
    ],
    misspelt: [[['--stag', 'x'], UNKNOWN]],
    wrongKind: [
      [['--stage', 'a b'], 'is no name of a stage'],
      [['prod'], "Unexpected argument 'prod'"],
    ],
  },
};

describe('wrong inputs', () => {
  test('are known for each program of package.json', () => {
    expect([...PROGRAMS.keys()].sort()).toEqual([...Object.keys(INPUTS), ...FOR_DEVELOPERS].sort());
    // Examples have theirs in the test that runs them beside a service.
    expect(read('tests/integration/http/clients.test.ts')).toContain("describe('wrong arguments'");
  });

  test.each(Object.entries(INPUTS))('of %s are refused, each with a message and an exit code', async (name, inputs) => {
    const all = Object.entries(inputs).flatMap(([kind, wrong]) =>
      (wrong as readonly Wrong[]).map((each) => ({ kind, each })),
    );
    await inParallel(all, 3, async ({ kind, each: [options, message] }) => {
      const said = await runProgram(process.execPath, [PROGRAMS.get(name) ?? '', ...options]);
      expect([kind, options, said.code, said.stderr]).toEqual([
        ...[kind, options, expect.toSatisfy((code) => code === 1 || code === 2)],
        expect.stringContaining(message),
      ]);
    });
  });
});
