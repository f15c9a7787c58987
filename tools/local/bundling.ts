import { once } from 'node:events';
import type { Stats } from 'node:fs';
import { type WatchOptions, watch } from 'chokidar';
import { context } from 'esbuild';
import { BUNDLE, type Lists, pluginsFor } from '../deploy/bundle.ts';

/** Folders by their names: for a pattern the whole project would be watched, and read whenever a log or the data in it grows. */
const SOURCES = ['admin', 'functions', 'lib', 'schemas'];

const OPTIONS: WatchOptions = {
  ignored: (path: string, stats?: Stats) => stats?.isFile() === true && !/\.(?:tsx?|css)$/.test(path),
  ignoreInitial: true,
  // A file that is written in parts, or first emptied, is one change.
  awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
};

/**
 * Bundles a source, and again after every save. esbuild takes a change that comes while it bundles for a part of that bundle, although
 * it has read the file before: so such changes wait for it, together.
 *
 * @param lists the engine that lists come from
 * @returns resolves when the first bundle is served and the sources are watched
 */
export async function bundleEverySave(
  source: string,
  lists: Lists,
  { serve, reload, fail }: { serve: (bundle: Uint8Array) => void; reload: () => Promise<void>; fail: () => void },
): Promise<void> {
  const stdin = { contents: source, resolveDir: '.' };
  const { rebuild } = await context({ ...BUNDLE, plugins: pluginsFor(lists), stdin, write: false });
  let turn = Promise.resolve();
  let isWaiting = false;
  const bundle = async () => {
    isWaiting = false;
    const { outputFiles } = await rebuild();
    for (const { contents } of outputFiles) serve(contents);
  };
  await bundle();
  const watcher = watch(SOURCES, OPTIONS).on('all', () => {
    if (!isWaiting) turn = turn.then(bundle).then(reload).catch(fail);
    isWaiting = true;
  });
  await once(watcher, 'ready');
}
