import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SOURCES = ['functions', 'lib', 'schemas', 'docs', 'package.json', 'serverless.yml', 'tsconfig.json'];

/** A copy of the project, as it is or with changes: deployments in the same folder would delete each other's files. */
export function copyProject() {
  const folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  for (const source of SOURCES) cpSync(source, join(folder, source), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    replace(file: string, text: string, by: string): void {
      const content = readFileSync(join(folder, file), 'utf8');
      if (!content.includes(text)) throw new Error(`${file} has no ${text}: the rehearsal must be adapted`);
      writeFileSync(join(folder, file), content.replaceAll(text, by));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
