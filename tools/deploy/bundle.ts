import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import pageFiles from './pageFiles.ts';
import validators from './validators.ts';

/** How sources become a file that Lambda runs. The AWS SDK is bundled, so that the version that runs is the tested one. */
export const BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  plugins: [validators, pageFiles],
  alias: { '@aws-sdk/credential-provider-node': fileURLToPath(new URL('standIns/credentials.ts', import.meta.url)) },
  // For operations that stream, which no client here has. With it esbuild would load what it shares with the rest module by module.
  external: ['@smithy/core/event-streams'],
} satisfies BuildOptions;

/** Smaller, so that it loads faster. Names stay and lines are short; docs/runbook.md tells how a map finds the source of a stack. */
export const PACKAGED = { ...BUNDLE, minifyWhitespace: true, minifySyntax: true, lineLimit: 100 };
