import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse, relative, resolve } from 'node:path';

export interface FunctionDefinition {
  handler: string;
  /** The file to bundle, if it is not the handler's. */
  esbuildEntrypoint?: string;
}

const NAME = 'functions';

function exportOf(name: string, handler: string, folder: string): string {
  const { dir, name: file, ext } = parse(handler);
  // Windows separates folders by a character that escapes others in a literal.
  const path = relative(folder, join(dir, `${file}.ts`)).replaceAll('\\', '/');
  return `export const ${name} = (...call) => require('${path}')${ext}(...call);\n`;
}

/** The folder from which functions are loaded. */
export const servedFolder = (workFolder: string): string => join(workFolder, 'served');

/**
 * Points all functions at one file that calls them. The functions share most of their code, so bundling and watching this file
 * takes a sixth of the memory of one bundle per function. Each function is still loaded at its first call.
 */
export function bundleTogether(functions: Record<string, FunctionDefinition>, workFolder: string): void {
  const exported = Object.entries(functions).map(([name, { handler }]) => exportOf(name, handler, workFolder));
  mkdirSync(servedFolder(workFolder), { recursive: true });
  writeFileSync(join(workFolder, `${NAME}.js`), exported.join(''));
  for (const [name, definition] of Object.entries(functions)) {
    definition.handler = `${NAME}.${name}`;
    definition.esbuildEntrypoint = join(workFolder, `${NAME}.${name}`);
  }
}

/** The file from which functions are loaded. */
export const servedFile = (workFolder: string): string => join(servedFolder(workFolder), `${NAME}.cjs`);

/** Makes the next request load the current bundle. It is copied, because esbuild removes its file while a source is broken. */
export function serveBundle(workFolder: string): void {
  const served = resolve(servedFile(workFolder));
  copyFileSync(join(workFolder, '.build', workFolder, `${NAME}.cjs`), served);
  delete createRequire(import.meta.url).cache[served];
}
