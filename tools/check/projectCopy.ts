import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The files that a service can be started or deployed from. */
const SOURCES =
  '{admin,docs,doors,functions,lib,schemas,tools,package.json,package-lock.json,serverless.yml,tsconfig.json}';

/** A copy of the project, whose sources may be changed. */
export type ProjectCopy = ReturnType<typeof copyProject>;

/** Two deployments in one folder would delete each other's files: each gets a copy. */
export function copyProject(sources = SOURCES) {
  const root = mkdtempSync(join(tmpdir(), 'project-'));
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const source of globSync(sources, { cwd: ROOT }))
    cpSync(join(ROOT, source), join(root, source), { recursive: true, filter });
  for (const modules of globSync('{.,doors/*}/node_modules', { cwd: ROOT }))
    symlinkSync(join(ROOT, modules), join(root, modules), 'junction');
  return {
    root,
    /** Replaces every occurrence of a text in a file. @throws {Error} when there is none */
    replace(file: string, text: string, by: string): void {
      const content = readFileSync(join(root, file), 'utf8');
      if (!content.includes(text)) throw new Error(`${file} has no ${text}`);
      writeFileSync(join(root, file), content.replaceAll(text, by));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A copy with empty functions, whose bundling takes longer than everything else and does not change the template. */
export function copyShell(): ProjectCopy {
  const copy = copyProject();
  for (const file of readdirSync(join(copy.root, 'functions')))
    writeFileSync(join(copy.root, 'functions', file), 'export const handler = async () => {};\n');
  return copy;
}
