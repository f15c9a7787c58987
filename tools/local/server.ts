import type { ChildProcess } from 'node:child_process';
import { systemRuntime } from '../../lib/runtime.ts';

const PROBE_TIMEOUT_MS = 1_000;
const POLL_INTERVAL_MS = 20;

const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );

/**
 * Waits until a server responds, whatever it says.
 *
 * @param name what messages call it
 * @throws {Error} with the last that it printed, when its process has ended; or when it takes too long
 */
export async function untilItResponds(name: string, url: string, server: ChildProcess, limitMs: number): Promise<void> {
  let said = '';
  let hasEnded = false;
  server.once('close', () => {
    hasEnded = true;
  });
  server.once('error', ({ message }) => {
    said = message;
  });
  server.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-1_000);
  });
  const deadline = systemRuntime.now() + limitMs;
  while (systemRuntime.now() < deadline) {
    if (hasEnded) throw new Error(`${name} ended at once: ${said.trim()}`);
    if (await responds(url)) return;
    await systemRuntime.sleep(POLL_INTERVAL_MS);
  }
  throw new Error(`${name} did not respond within ${limitMs} ms`);
}
