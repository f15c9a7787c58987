import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { buildPage } from '../../admin/build.ts';
import { descriptionsSource } from '../../lib/openapi/sources.ts';
import validators from './validators.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Bundles the admin page into the functions that serve it, in place of admin/files.ts. */
const pageFiles: Plugin = {
  name: 'page-files',
  setup(build) {
    build.onLoad({ filter: /[/\\]admin[/\\]files\.ts$/ }, async () => {
      const { names, files } = await buildPage(build.esbuild.build);
      const contents = `export const PAGE_NAMES = ${JSON.stringify(names)};\nexport const PAGE_FILES = ${JSON.stringify(files)};`;
      return { contents, loader: 'js' };
    });
  },
};

/** Bundles the descriptions of the endpoints into the function that serves the document, in place of lib/openapi/operations.ts. */
const descriptions: Plugin = {
  name: 'descriptions',
  setup(build) {
    build.onLoad({ filter: /[/\\]lib[/\\]openapi[/\\]operations\.ts$/ }, () => ({
      contents: descriptionsSource().replace('const all', 'const OPERATIONS'),
      resolveDir: ROOT,
    }));
  },
};

/** The engines that lists may come from: the setting `lists` of a stage. */
export const LISTS = ['replica', 'opensearch'] as const;
export type Lists = (typeof LISTS)[number];

/** Bundles the parts of a stage whose lists come from OpenSearch in place of those of the replica. */
const searchStage: Plugin = {
  name: 'search-stage',
  setup(build) {
    build.onLoad({ filter: /[/\\]lib[/\\]roots[/\\]replicaStage\.ts$/ }, () => ({
      contents: "export * from './searchStage.ts';",
      resolveDir: join(ROOT, 'lib/roots'),
    }));
  },
};

const standIn = (name: string): string => join(import.meta.dirname, `standIns/${name}.ts`);

/** How sources become a file that Lambda runs. The AWS SDK is bundled, so that the version that runs is the tested one. */
export const BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  plugins: [validators, pageFiles, descriptions],
  alias: { '@aws-sdk/credential-provider-node': standIn('credentials') },
  // For operations that stream, which no client here has. With it esbuild would load what it shares with the rest module by module.
  external: ['@smithy/core/event-streams'],
} satisfies BuildOptions;

/** The plugins that put others in the place of sources, for a stage with one of the engines of lists. */
export const pluginsFor = (lists: Lists): Plugin[] =>
  lists === 'opensearch' ? [...BUNDLE.plugins, searchStage] : BUNDLE.plugins;

const STARTED = /^export \{ started \} from/m;

/** The entry of a function that is deployed: its handler, and what a new container waits for, without what its file says of an endpoint. */
function entryOf(file: string): BuildOptions['stdin'] & object {
  const exported = STARTED.test(readFileSync(join(ROOT, file), 'utf8')) ? 'handler, started' : 'handler';
  return { contents: `export { ${exported} } from './${file}';`, resolveDir: ROOT };
}

/** Smaller, so that it loads faster. Names stay and lines are short; docs/runbook.md tells how a map finds the source of a stack. */
export const PACKAGED = { ...BUNDLE, minifyWhitespace: true, minifySyntax: true, lineLimit: 100 };

/** A function as it is deployed, by its file. */
export const packaged = (file: string, lists: Lists = 'replica') => ({
  ...PACKAGED,
  plugins: pluginsFor(lists),
  stdin: entryOf(file),
});
