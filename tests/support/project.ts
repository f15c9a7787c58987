import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that a service can be started from. */
const SOURCES = ['functions', 'lib', 'schemas', 'package.json', 'package-lock.json', 'serverless.yml', 'tsconfig.json'];

export interface ProjectCopy {
  root: string;
  /** Replaces every occurrence of a text in a file. */
  replace(file: string, text: string, by: string): void;
  remove(): void;
}

/** A copy of the project, whose sources may be changed. */
export function copyProject(): ProjectCopy {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  for (const source of SOURCES) cpSync(join(ROOT, source), join(root, source), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    replace(file, text, by) {
      const content = readFileSync(join(root, file), 'utf8');
      if (!content.includes(text)) throw new Error(`${file} has no ${text}`);
      writeFileSync(join(root, file), content.replaceAll(text, by));
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}
