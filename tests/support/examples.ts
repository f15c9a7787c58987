import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './httpService.ts';

export const pageOf = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The programs of the documents by the name in their first line. */
export const EXAMPLES = new Map(
  ['clients.md', 'changes.md'].flatMap((page) =>
    [...pageOf(page).matchAll(/^```\w+\n(?:\/\/|#) (\S+)\n(.*?)^```$/gms)].map(
      ([, name = '', code = '']): [string, string] => [name, code],
    ),
  ),
);

/** Puts the programs into a folder, where they run as a reader's would. Their types come from the service, or from the repository. */
export function writeExamples(folder: string): void {
  for (const [name, code] of EXAMPLES) writeFileSync(join(folder, name), code);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
