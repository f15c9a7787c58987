/** The thread of the fold, and of what sends events, in the local service. Its data is the folder of the bundles. */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';
import { optionalVariable } from '../../lib/ground/index.ts';
import { FOLD, type FoldHandler, foldForEver, TIMED } from './foldTimer.ts';
import { servedFile } from './oneBundle.ts';

const served = servedFile(String(workerData));
const require = createRequire(import.meta.url);
let loaded = 0;

/** A handler of the bundle that is served now. */
function load(name: string): FoldHandler {
  const { mtimeMs } = statSync(served);
  if (mtimeMs !== loaded) delete require.cache[served];
  loaded = mtimeMs;
  return require(served)[name];
}

const names = optionalVariable('EVENTS_FILE') === undefined ? [FOLD] : TIMED;

// Neither waits for the other.
await Promise.all(names.map((name) => foldForEver(() => load(name), name)));
