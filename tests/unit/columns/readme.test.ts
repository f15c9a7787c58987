import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { filesLike, ROOT, read } from '../../support/files.ts';

/** The first block of a language. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

test('the example of the README shows a page, a change and a stored base, by the face alone', () => {
  const page = read('lib/columns/README.md');
  const example = blockOf(page, 'ts');
  const shown = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(shown).toBe(blockOf(page, 'text'));
  expect(shown).toContain('EMMA');
  expect(example.match(/from '[^']+'/g)).toEqual(["from './lib/columns/index.ts'"]);
});

test('every value of the face has a docblock where it is defined', async () => {
  const sources = filesLike('lib/columns/**/*.ts').map(read).join('\n');
  const names = Object.keys(await import('../../../lib/columns/index.ts'));
  expect(names.length).toBeGreaterThan(20);
  const documented = (name: string) => new RegExp(`\\*/\nexport (?:const|class|function\\*?) ${name}\\b`).test(sources);
  expect(names.filter((name) => !documented(name))).toEqual([]);
});

test('the README is two pages', () => {
  expect(read('lib/columns/README.md').split(/\s+/).length).toBeLessThanOrEqual(1_000);
});
