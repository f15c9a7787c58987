import { constants } from 'node:os';

/** Whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const GRACE_MS = 50;

/** Ends the process after a moment: esbuild's child process panics if it cannot write its last output. */
export function exitSoon(code: number): void {
  setTimeout(() => process.exit(code), GRACE_MS);
}

/** Makes a signal without another handler end the process through its `exit` event, whose listeners clean up. */
export function exitOnSignals(): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) exitSoon(128 + constants.signals[signal]);
    });
  }
}

const PARENT_INTERVAL_MS = 500;

/**
 * Ends the process soon after its parent. npm starts a script in a shell. A signal to npm ends the shell, which passes it on
 * to nobody. Windows keeps the id of a parent that has ended.
 */
export function exitWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(timer);
    exitSoon(128 + constants.signals.SIGTERM);
  }, PARENT_INTERVAL_MS).unref();
}
