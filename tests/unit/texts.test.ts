import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMAT } from '../../lib/replica/internals.ts';
import { LIMITS } from '../../lib/users/database.ts';
import { createdAt } from '../../lib/users/ids.ts';
import { FULL_JOURNAL } from '../../tools/import/journalWatch.ts';
import { filesLike, ROOT, read, readYaml, SCRIPTS } from '../support/files.ts';

/** Numbers that readers believe. Each is compared with its source. */
const number = (value: number): string => value.toLocaleString('en-US');

const { params }: { params: Record<string, Record<string, number>> } = readYaml('serverless.yml');

test.each([
  ['CHANGELOG.md', `(format ${FORMAT})`],
  ['docs/api.md', `(${Number(params.default?.minimumAge) / 1_000} s)`],
  ['docs/data-model.md', `${number(LIMITS.batchEntries)} entries`],
  ['docs/deployment.md', `${number(Number(params.default?.listMemory))} unless set`],
  ['docs/moving.md', `from ${number(FULL_JOURNAL)} entries nothing is sent`],
])('a number in the documentation of %s is the one of the sources: "%s"', (file, sentence) => {
  expect(read(file).replaceAll(/\n */g, ' ').includes(sentence), `${file} must say: ${sentence}`).toBe(true);
});

test('the event of docs/changes.md shows a user whose id was given when it was created', () => {
  const page = read('docs/changes.md');
  const [, id, time] = page.match(/\{ "id": (\d+), "name".*"createdAt": "([^"]*)" \}/) ?? [];
  expect(createdAt(Number(id))).toBe(time);
});

test('the documentation has the limits of the stages from serverless.yml', () => {
  const stages = ['default', 'staging', 'prod'].map((stage) => ({ ...params.default, ...params[stage] }));
  const rates = stages.map(({ requestsPerSecond = 0, burst = 0 }) => `${number(requestsPerSecond)} (${number(burst)})`);
  const days = stages.map(({ logRetentionInDays }) => `${logRetentionInDays} days`);
  expect(read('docs/deployment.md')).toContain(`| requests per second (burst) | ${rates.join(' | ')}`);
  expect(read('docs/deployment.md')).toContain(`| logs kept | ${days.join(' | ')}`);
});

test('docs/runbook.md has every alarm under a heading, with what to look at, what clients see and what to turn', () => {
  const alarms = [...read('tools/deploy/monitoring.yml').matchAll(/AlarmName: \S+?\}-([a-z-]+)(?:-\d)?$/gm)].map(
    ([, name]) => name,
  );
  const [, chapter = ''] = read('docs/runbook.md').split('\n## Alarms\n');
  const [, ...parts] = (chapter.split('\n## ')[0] ?? '').split('\n### ');
  const shown = parts.map((part) => [
    part.split('\n')[0],
    ...[...part.matchAll(/^- \*\*(.*?)\*\*/gm)].map(([, what]) => what),
  ]);
  const wanted = [...new Set(alarms)].map((name) => [name, 'Look at', 'Clients see', 'Turn']);
  expect(shown.toSorted()).toEqual(wanted.toSorted());
});

test('the commands of .github/CONTRIBUTING.md have every script of package.json', () => {
  const commands = Object.keys(SCRIPTS);
  const [, text = ''] = read('.github/CONTRIBUTING.md').split('## Commands');
  const [table = ''] = text.split('\n## ');
  expect(commands.filter((name) => !new RegExp(`(?:\`|^)(npm run |npm )?${name}[ \`]`, 'm').test(table))).toEqual([]);
});

test('every file of docs/ is in the list of its README', () => {
  const others = ['README.md', 'pictures'];
  const files = readdirSync(join(ROOT, 'docs/')).filter((file) => !others.includes(file));
  const map = read('docs/README.md');
  expect(files.filter((file) => !map.includes(`](${file}`))).toEqual([]);
});

const PAGES = [
  ...[
    'README',
    'CHANGELOG',
    '.github/SECURITY',
    'tests/README',
    'bench/README',
    'bench/figures',
    'examples/README',
  ].map((name) => `${name}.md`),
  ...['docs/', 'docs/decisions/'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((file) => (file.endsWith('.md') ? [folder + file] : [])),
  ),
  ...filesLike('{doors/{.,*},{lib,tools}/**}/README.md'),
];

test('what .gitattributes calls generated is there', () => {
  const patterns = [...read('.gitattributes').matchAll(/^(\S+) linguist-generated$/gm)].map(
    ([, pattern = '']) => pattern,
  );
  expect(patterns.length).toBeGreaterThan(3);
  expect(patterns.filter((pattern) => filesLike(pattern).length === 0)).toEqual([]);
});

test('docs/concepts.md explains twenty words for a change of a user, each with its file', () => {
  const words = read('docs/concepts.md')
    .split('\n## ')
    .map((part) => part.match(/^\| \w.*\.?\]\(\.\.\/.*\) \|$/gm) ?? []);
  const rows = read('docs/concepts.md').match(/^\| (?!Word)\w.*$/gm) ?? [];
  expect(words.flat()).toEqual(rows);
  expect(words[1]?.length).toBe(20);
});

test('the index of decisions has each one, with its title', () => {
  const folder = 'docs/decisions/';
  const files = readdirSync(join(ROOT, folder)).filter((file) => file !== 'README.md');
  const rows = files.map((file) => {
    const [, number, title] = read(folder + file).match(/^# (\d+)\. (.*)$/m) ?? [];
    return `| ${number} | [${title}](${file}) |`;
  });
  const index = read(`${folder}README.md`);
  expect(rows.filter((row) => !index.includes(row))).toEqual([]);
});

const withoutCode = (file: string) => read(file).replaceAll(/^ *```.*?^ *```$/gms, '');

const headingsOf = (file: string): string[] =>
  [...withoutCode(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

/** Whether a target, as it stands in a file, leads nowhere: to no file, or to no heading of it. */
function isBroken(file: string, target: string): boolean {
  const { pathname, hash } = new URL(target, `file:///project/${file}`);
  const page = decodeURI(pathname.replace('/project/', ''));
  if (!existsSync(join(ROOT, page))) return true;
  return (
    hash !== '' &&
    !headingsOf(page)
      .map(anchorOf)
      .includes(decodeURI(hash.slice(1)))
  );
}

test('every link in the documents leads to a file, and to a heading of it', () => {
  const links = PAGES.flatMap((page) =>
    [...withoutCode(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
  );
  expect(links.length).toBeGreaterThan(300);
  expect(links.filter(({ page, target }) => isBroken(page, target))).toEqual([]);
});

test('every README of a folder is linked from another page', () => {
  const linked = PAGES.flatMap((page) =>
    [...withoutCode(page).matchAll(/\]\((?!https?:)([^)\s#]+)/g)].map(([, target = '']) =>
      decodeURI(new URL(target, `file:///${page}`).pathname.slice(1)),
    ),
  );
  const folders = filesLike('*/**/README.md');
  expect(folders.length).toBeGreaterThan(15);
  expect(folders.filter((page) => !linked.includes(page))).toEqual([]);
});

test('README.md is short enough to be read, and so is docs/api.md', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(81);
  expect(read('docs/api.md').split(/\s+/).length).toBeLessThanOrEqual(2_001);
});

test('every page, heading and file that a source names is there', () => {
  const files = [
    ...filesLike('{{admin,bench,examples,functions,lib,schemas,tools}/**,doors/{.,*}}/*.{ts,tsx,cjs,sh,yml}'),
    ...filesLike('.github/**/*.yml'),
    ...['serverless.yml', '.knip.jsonc', '.biome.json'],
  ];
  const NAME =
    /(?<![\w./@-])(?:admin|bench|docs|doors|examples|functions|lib|schemas|tests|tools)\/[\w./-]+\.(?:tsx?|md|yml|sh|json)(?![\w*])(?:#[\w-]+)?/g;
  const named = files.flatMap((file) => (read(file).match(NAME) ?? []).map((target) => ({ file, target })));
  const quoted = files.flatMap((file) =>
    [...read(file).matchAll(/(docs\/[\w-]+\.md), "([^"]+)"/g)].map(([, page = '', heading = '']) => ({
      file,
      target: `${page}#${anchorOf(heading)}`,
    })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(quoted.length).toBeGreaterThan(1);
  expect([...named, ...quoted].filter(({ target }) => isBroken('', target))).toEqual([]);
});
