import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { buildPage } from '../../admin/build.ts';
import validators from './validators.ts';

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

const standIn = (name: string): string => join(import.meta.dirname, `standIns/${name}.ts`);

/** How sources become a file that Lambda runs. The AWS SDK is bundled, so that the version that runs is the tested one. */
export const BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  plugins: [validators, pageFiles],
  alias: { '@aws-sdk/credential-provider-node': standIn('credentials') },
  // For operations that stream, which no client here has. With it esbuild would load what it shares with the rest module by module.
  external: ['@smithy/core/event-streams'],
} satisfies BuildOptions;

/** Smaller, so that it loads faster. Names stay and lines are short; docs/runbook.md tells how a map finds the source of a stack. */
export const PACKAGED = { ...BUNDLE, minifyWhitespace: true, minifySyntax: true, lineLimit: 100 };
