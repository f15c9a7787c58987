/** The thread of the fold in the local service. Its data is the folder of the bundles. */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { workerData } from 'node:worker_threads';
import { FOLD, type FoldHandler, foldForEver } from './foldTimer.ts';
import { servedFile } from './oneBundle.ts';

const served = resolve(servedFile(String(workerData)));
const require = createRequire(import.meta.url);
let loaded = 0;

/** The handler of the bundle that is served now. */
function load(): FoldHandler {
  const { mtimeMs } = statSync(served);
  if (mtimeMs !== loaded) delete require.cache[served];
  loaded = mtimeMs;
  return require(served)[FOLD];
}

await foldForEver(load);
