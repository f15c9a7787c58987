import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a program that a process takes for npm, if the variable `npm_execpath` names it. */
export function writeNpm(folder: string, code: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  const file = join(folder, 'npm-cli.js');
  writeFileSync(file, code);
  return file;
}
