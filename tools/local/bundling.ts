import { once } from 'node:events';
import { watch } from 'chokidar';

/** The part of serverless-esbuild that is used here. It bundles the sources, then watches them. */
export interface Bundler {
  bundle(): Promise<void>;
  watch(): void;
}

export const isBundler = (plugin: object): plugin is Bundler =>
  'bundle' in plugin && typeof plugin.bundle === 'function' && 'watch' in plugin;

const SOURCES = ['{admin,functions,lib,schemas}/**/*.{ts,tsx,css}'];

/** A file that is written in parts, or first emptied, is one change. */
const WHOLE_FILES = { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 } };

/**
 * Makes a function that runs the work once at a time. Who asks while it runs gets a run that begins after that one, together with all
 * others who ask meanwhile.
 */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    running = work();
    return running;
  };
  return () => {
    next ??= running.catch(() => undefined).then(begin);
    return next;
  };
}

/**
 * Serves every save. esbuild takes a change that comes while it bundles for a part of that bundle, although it has read the file
 * before; and serverless-esbuild does not say when it begins to notice changes.
 *
 * @returns resolves when the sources are watched
 */
export function bundleEverySave(
  bundler: Bundler,
  { serve, reload, fail }: { serve: () => void; reload: () => Promise<void>; fail: () => void },
): Promise<unknown> {
  const bundle = bundler.bundle.bind(bundler);
  bundler.bundle = inTurn(async () => {
    await bundle();
    serve();
  });
  return new Promise((resolve, reject) => {
    bundler.watch = () => {
      const watcher = watch(SOURCES, WHOLE_FILES).on('all', () => bundler.bundle().then(reload).catch(fail));
      once(watcher, 'ready').then(resolve, reject);
    };
  });
}
