import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT, read } from '../../support/files.ts';

/** The first block of a language. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

test('the example of the README keeps books current in two readers, over a write, a fold and another write', () => {
  const page = read('lib/replica/README.md');
  const example = blockOf(page, 'ts');
  const shown = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(shown).toBe(blockOf(page, 'text'));
  expect(shown.split('\n').length).toBeGreaterThan(4);
  expect(example).not.toMatch(/lib\/users/);
});
