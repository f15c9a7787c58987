/**
 * Ends the process of a test with an endless loop, which Vitest's own limit does not end: that is a timer, and none fires. A thread beside the tests
 * hears from them each second, or ends them. Vitest then fails, and says which file it was.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** Milliseconds without a timer. The longest test takes a few seconds. */
const LIMIT_MS = 60_000;

const WATCHER = `
const { parentPort } = require('node:worker_threads');
const { writeSync } = require('node:fs');
let heard = performance.now();
parentPort.on('message', () => { heard = performance.now(); });
setInterval(() => {
  if (performance.now() - heard < ${LIMIT_MS}) return;
  writeSync(2, 'An endless loop\\n');
  process.kill(process.pid, 'SIGKILL');
}, 1_000);
`;

declare global {
  var isWatched: boolean | undefined;
}

// The files of a process share the thread. In a debugger a test may stand still.
if (!globalThis.isWatched && !debuggerUrl()) {
  const watcher = new Worker(WATCHER, { eval: true });
  watcher.unref();
  setInterval(() => watcher.postMessage('still here'), 1_000).unref();
  globalThis.isWatched = true;
}
