import { once } from 'node:events';
import { watch } from 'chokidar';
import { context } from 'esbuild';
import { BUNDLE } from '../deploy/bundle.ts';

const SOURCES = ['{admin,functions,lib,schemas}/**/*.{ts,tsx,css}'];

/** A file that is written in parts, or first emptied, is one change. */
const WHOLE_FILES = { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 } };

/**
 * Bundles a source, and again after every save. esbuild takes a change that comes while it bundles for a part of that bundle, although
 * it has read the file before: so such changes wait for it, together.
 *
 * @returns resolves when the first bundle is served and the sources are watched
 */
export async function bundleEverySave(
  source: string,
  { serve, reload, fail }: { serve: (bundle: Uint8Array) => void; reload: () => Promise<void>; fail: () => void },
): Promise<void> {
  const { rebuild } = await context({ ...BUNDLE, stdin: { contents: source, resolveDir: '.' }, write: false });
  let turn = Promise.resolve();
  let isWaiting = false;
  const bundle = async () => {
    isWaiting = false;
    const { outputFiles } = await rebuild();
    for (const { contents } of outputFiles) serve(contents);
  };
  await bundle();
  const watcher = watch(SOURCES, WHOLE_FILES).on('all', () => {
    if (!isWaiting) turn = turn.then(bundle).then(reload).catch(fail);
    isWaiting = true;
  });
  await once(watcher, 'ready');
}
