import { execFileSync } from 'node:child_process';
import { ROOT, read } from './files.ts';

/** The first block of a language in a page. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

/** Runs the example of a README at the root of the project: its source, what it printed, and what the page says that it prints. */
export function runExample(path: string): { example: string; shown: string; said: string } {
  const page = read(path);
  const example = blockOf(page, 'ts');
  const args = ['--input-type=module-typescript', '--eval', example];
  return {
    example,
    shown: execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }),
    said: blockOf(page, 'text'),
  };
}
