import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { build as Build, Metafile } from 'esbuild';

export interface PageFile {
  type: 'text/javascript' | 'text/css';
  content: string;
}

/** The names of the script and the style sheet. Each has a hash of its content. */
export interface PageNames {
  script: string;
  style: string;
}

export interface Page {
  names: PageNames;
  /** By name. */
  files: Record<string, PageFile>;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The browsers of the last three years: https://caniuse.com/mdn-css_types_color_light-dark */
const TARGET = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

/** The packages in the page, with their licences. */
function licencesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const named = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})`;
  });
  return `/*! With ${named.toSorted().join(', ')} */\n`;
}

/** Bundles the page. @throws {BuildFailure} when its sources have errors */
export async function buildPage(build: typeof Build): Promise<Page> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['admin/browser/main.tsx'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: TARGET,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    outdir: 'page',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const licences = licencesOf(metafile);
  const files = outputFiles.map(({ path, text }): [string, PageFile] =>
    path.endsWith('.css')
      ? [basename(path), { type: 'text/css', content: text }]
      : [basename(path), { type: 'text/javascript', content: licences + text }],
  );
  const nameOf = (type: PageFile['type']) => files.find(([, file]) => file.type === type)?.[0] ?? '';
  return { names: { script: nameOf('text/javascript'), style: nameOf('text/css') }, files: Object.fromEntries(files) };
}
