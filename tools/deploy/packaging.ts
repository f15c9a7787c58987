import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { strToU8, zipSync } from 'fflate';
import { type Lists, packaged } from './bundle.ts';
import type { PermissionWord } from './permissions.ts';

export interface Packaged {
  handler: string;
  permissions?: PermissionWord[];
  package?: { artifact?: string; patterns?: string[] };
}

/** The framework uploads what is in this folder. */
const FOLDER = '.serverless';

/** The same files make the same bytes. On Linux everybody may read them. */
const ENTRY = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 } as const;

/**
 * Lambda waits for a top-level await, which only an ES module has, and prefers `.mjs` to `.cjs`. The code itself stays CommonJS: an ES module
 * that imports node:http loads all of fetch, which takes half as long as everything else.
 */
const awaitStart = (bundle: string): string => `import { createRequire } from 'node:module';
const bundle = createRequire(import.meta.url)('./${bundle}');
await bundle.started;
export const { handler } = bundle;
`;

/** The files that Lambda unpacks, by path: the bundle of a function with its source map, and the files of its patterns. */
export async function filesOf({ handler, permissions = [], package: { patterns = [] } = {} }: Packaged, lists?: Lists) {
  const path = handler.replace(/\.\w+$/, '');
  const outfile = `${basename(path)}.cjs`;
  const maps = { sourcemap: 'external', sourcesContent: false } as const;
  const { outputFiles } = await build({ ...packaged(`${path}.ts`, lists), ...maps, outfile, write: false });
  const [map, bundle] = outputFiles.map(({ contents }) => contents);
  // Lambda unpacks on Linux.
  const others = globSync(patterns).map((file) => [file.replaceAll('\\', '/'), readFileSync(file)]);
  const first = permissions.includes('readLists') ? [[`${path}.mjs`, strToU8(awaitStart(outfile))]] : [];
  const files: Record<string, Uint8Array> = Object.fromEntries([...first, [`${path}.cjs`, bundle], ...others]);
  return { files, map: map ?? '' };
}

/** Makes the upload of each function. The source map stays beside it. */
export async function packageFunctions(functions: Record<string, Packaged>, lists: Lists): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const packageOne = async ([name, definition]: [string, Packaged]): Promise<void> => {
    const { files, map } = await filesOf(definition, lists);
    const artifact = `${FOLDER}/${name}.zip`;
    writeFileSync(`${FOLDER}/${name}.cjs.map`, map);
    writeFileSync(artifact, zipSync(files, ENTRY));
    definition.package = { artifact };
  };
  await Promise.all(Object.entries(functions).map(packageOne));
}
