import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { build as Build, Metafile } from 'esbuild';

export interface PageFile {
  type: 'text/javascript' | 'text/css' | 'text/plain';
  content: string;
}

/** Each name has a hash of the content. */
export type PageNames = Record<'script' | 'signIn' | 'style' | 'licences', string>;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The browsers of the last three years: https://caniuse.com/mdn-css_types_color_light-dark */
const TARGET = ['chrome123', 'edge123', 'firefox120', 'safari17.5'];

/** The packages in the page, with the texts of their licences, which must go with them. */
function licencesOf({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const parts = [...new Set(folders)].toSorted().map((folder) => {
    const read = (file: string) => readFileSync(join(ROOT, folder, file), 'utf8');
    const { name, version, license } = JSON.parse(read('package.json'));
    const texts = readdirSync(join(ROOT, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    return [`${name} ${version} (${license})`, ...texts.map(read)].join('\n\n');
  });
  return parts.join('\n\n\n');
}

/** Bundles the page. @throws {BuildFailure} when its sources have errors */
export async function buildPage(build: typeof Build): Promise<{ names: PageNames; files: Record<string, PageFile> }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['admin/browser/main.tsx'],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    target: TARGET,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: 'page',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const texts = licencesOf(metafile);
  const licences = `licences-${hash('sha256', texts).slice(0, 8).toUpperCase()}.txt`;
  const files: Record<string, PageFile> = { [licences]: { type: 'text/plain', content: texts } };
  for (const { path, text } of outputFiles) {
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    files[basename(path)] = { type, content: `/*! Licences: ${licences} */\n${text}` };
  }
  const like = (name: RegExp) => Object.keys(files).find((each) => name.test(each)) ?? '';
  const [script, signIn, style] = [like(/^main.*js$/), like(/^oidc.*js$/), like(/css$/)];
  return { names: { script, signIn, style, licences }, files };
}
