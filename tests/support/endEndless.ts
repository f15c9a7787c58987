/**
 * Ends the process of a test with an endless loop, which Vitest's own limit does not end: that is a timer, and none fires. A thread beside the tests
 * hears from them each second, or ends them. Vitest then fails, and says which file it was.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** Seconds of processor time without a timer, so that a busy machine ends nothing. The longest test takes a few. */
const LIMIT_S = 60;

const WATCHER = `
const { parentPort } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { cpuUsage, kill, pid } = process;
let heard = cpuUsage();
parentPort.on('message', () => { heard = cpuUsage(); });
setInterval(() => {
  const { user, system } = cpuUsage(heard);
  if ((user + system) / 1e6 < ${LIMIT_S}) return;
  writeSync(2, 'An endless loop\\n');
  kill(pid, 'SIGKILL');
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
