import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../lib/http/api.ts';
import * as limits from '../../schemas/limits.ts';
import { filesLike, ROOT, read, readYaml, SCRIPTS } from '../support/files.ts';

/** Claims of pages about commands, versions and limits, compared with what runs. tools/readme.test.ts runs the README's first screen. */
const PAGES = [
  ...['README.md', 'tests/README.md', 'bench/README.md', 'bench/figures.md', 'examples/README.md'],
  ...filesLike('doors/{.,*}/README.md'),
  ...readdirSync(join(ROOT, 'docs')).flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
];

/** Options that another program reads: the framework, vitest, playwright. */
const OF_OTHERS = ['start', 'test', 'test:tools', 'test:browser', 'mutants:tool'];

/** The files with the options of programs that have them in a file of their own. */
const OPTIONS_OF: Readonly<Record<string, string[]>> = {
  'tools/import/import.ts': ['tools/import/importOptions.ts'],
  'tools/doors/door.ts': ['tools/doors/options.ts'],
};

const sourceOf = (name: string): string => {
  const [, file = ''] = /&& node (\S+\.ts)$/.exec(SCRIPTS[name] ?? '') ?? [];
  return [file, ...(OPTIONS_OF[file] ?? [])].map((source) => (source === '' ? '' : read(source))).join('\n');
};

const COMMANDS = PAGES.flatMap((page) =>
  [...read(page).matchAll(/npm run (?:--silent |-s )?([a-z][\w:-]*)((?: --)?(?: [^`\n|#&;)]*)?)/g)].map(
    ([, name = '', options = '']) => ({ page, name, options: options.match(/--[a-z][\w-]*/g) ?? [] }),
  ),
);

describe('the pages', () => {
  test('name only commands that there are', () => {
    expect(COMMANDS.length).toBeGreaterThan(60);
    expect(COMMANDS.filter(({ name }) => !(name in SCRIPTS))).toEqual([]);
  });

  test('name only options that the commands have', () => {
    const own = COMMANDS.filter(({ name }) => !OF_OTHERS.includes(name));
    expect(own.flatMap(({ options }) => options).length).toBeGreaterThan(30);
    const hasOption = (name: string, option: string) =>
      new RegExp(`\\b'?${option.slice(2)}'?: `).test(sourceOf(name)) ||
      (option === '--token-file' && sourceOf(name).includes('TOKEN_OPTIONS')) ||
      option === '--help';
    const unknown = own.flatMap(({ page, name, options }) =>
      options.filter((option) => !hasOption(name, option)).map((option) => `${page}: npm run ${name} -- ${option}`),
    );
    expect(unknown).toEqual([]);
  });
});

const number = (value: number): string => value.toLocaleString('en-US');

test.each([
  ['docs/api.md', `up to ${limits.MAX_TEXT} characters`],
  ['docs/api.md', `up to ${limits.MAX_EMAIL_OCTETS} octets`],
  ['docs/api.md', `1 to ${limits.MAX_LABEL} characters, no enumeration`],
  ['docs/api.md', `1 to ${limits.MAX_EXTERNAL_ID} characters`],
  ['docs/api.md', `up to ${limits.MAX_ATTRIBUTES} members`],
  ['docs/api.md', `at most ${number(limits.MAX_ATTRIBUTES_BYTES)} bytes as JSON`],
  ['docs/api.md', `a text (1 to ${limits.MAX_ATTRIBUTE_TEXT} characters`],
  [
    'docs/api.md',
    `an array of up to ${limits.MAX_ATTRIBUTE_ITEMS} texts (1 to ${limits.MAX_ATTRIBUTE_ITEM} characters`,
  ],
  ['README.md', `[Groups are lists of an attribute](docs/api.md#filters), ${limits.MAX_ATTRIBUTE_ITEMS} a user`],
  ['docs/api.md', `at most ${limits.MAX_BODY_BYTES / 1_024} KB, a batch ${limits.MAX_BATCH_BYTES / 1_048_576} MB`],
  ['README.md', `**Status**: version ${VERSION.split('.').slice(0, 2).join('.')}.`],
  ['docs/choose.md', `| This service, ${VERSION.split('.').slice(0, 2).join('.')} |`],
  ['README.md', `needs Node ${JSON.parse(read('package.json')).engines.node.slice(2)} or newer`],
  [
    'README.md',
    `http://localhost:${readYaml('serverless.yml').custom['serverless-offline'].httpPort.match(/\d+/)[0]} (or PORT)`,
  ],
])('%s says what runs: "%s"', (page, sentence) => {
  expect(read(page).includes(sentence), `${page} must say: ${sentence}`).toBe(true);
});
