import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse, resolve } from 'node:path';

const NAME = 'functions';

function exportOf(name: string, handler: string): string {
  const { dir, name: file, ext } = parse(handler);
  return `export const ${name} = (...call) => require('./${dir}/${file}.ts')${ext}(...call);\n`;
}

/**
 * Points all functions at one file that calls them. The functions share most of their code, so bundling and watching this file
 * takes a sixth of the memory of one bundle per function. Each function is still loaded at its first call.
 *
 * @returns the source of the file
 */
export function bundleTogether(functions: Record<string, { handler: string }>): string {
  const exported = Object.entries(functions).map(([name, { handler }]) => exportOf(name, handler));
  for (const [name, definition] of Object.entries(functions)) definition.handler = `${NAME}.${name}`;
  return exported.join('');
}

/**
 * The kind of modules in the work folder, which is another one than that of the project around it. Since version 26 Node asks for the kind
 * of a file without an extension, too, also when the file is required.
 */
const KIND = JSON.stringify({ type: 'commonjs' });

/** The file from which functions are loaded. If it had an extension, serverless-offline would read package.json at each request. */
export const servedFile = (workFolder: string): string => resolve(workFolder, NAME);

/** Makes the next request load this bundle. */
export function serveBundle(workFolder: string, bundle: Uint8Array): void {
  mkdirSync(workFolder, { recursive: true });
  writeFileSync(resolve(workFolder, 'package.json'), KIND);
  writeFileSync(servedFile(workFolder), bundle);
  delete createRequire(import.meta.url).cache[servedFile(workFolder)];
}
