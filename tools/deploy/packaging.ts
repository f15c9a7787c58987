import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { zipSync } from 'fflate';
import { PACKAGED } from './bundle.ts';

export interface Packaged {
  handler: string;
  package?: { artifact?: string; patterns?: string[] };
}

/** The framework uploads what is in this folder. */
const FOLDER = '.serverless';

/** The same files make the same bytes. On Linux everybody may read them. */
const ENTRY = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16, level: 9 } as const;

/** Makes the upload of each function: a zip with its bundle, and with the files of its patterns. The source map stays beside it. */
export async function packageFunctions(functions: Record<string, Packaged>): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const packageOne = async ([name, definition]: [string, Packaged]): Promise<void> => {
    const path = definition.handler.replace(/\.\w+$/, '');
    const outfile = `${name}.cjs`;
    const maps = { sourcemap: 'external', sourcesContent: false } as const;
    const { outputFiles } = await build({ ...PACKAGED, ...maps, entryPoints: [`${path}.ts`], outfile, write: false });
    const [map, bundle] = outputFiles.map(({ contents }) => contents);
    writeFileSync(`${FOLDER}/${outfile}.map`, map ?? '');
    const patterns = globSync(definition.package?.patterns ?? []);
    // Lambda unpacks on Linux.
    const others = patterns.map((file) => [file.replaceAll('\\', '/'), readFileSync(file)]);
    const artifact = `${FOLDER}/${name}.zip`;
    writeFileSync(artifact, zipSync(Object.fromEntries([[`${path}.cjs`, bundle], ...others]), ENTRY));
    definition.package = { artifact };
  };
  await Promise.all(Object.entries(functions).map(packageOne));
}
