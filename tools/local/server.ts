import type { ChildProcess } from 'node:child_process';
import { systemRuntime } from '../../lib/ground/index.ts';
import { freePort, LOOPBACK } from './port.ts';

const PROBE_TIMEOUT_MS = 1_000;
const POLL_INTERVAL_MS = 20;

/** A server on a free port of this machine. */
export type Server = Awaited<ReturnType<typeof startServer>>;

const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );

/**
 * Starts a server, and waits until it responds, whatever it says. It ends with `stop`, or with this process.
 *
 * @param name what messages call it
 * @param spawnAt starts its process, with standard error as a pipe
 * @param host on which it listens
 * @throws {Error} with the last that it printed, when its process has ended; or when it takes too long
 */
export async function startServer(
  name: string,
  limitMs: number,
  spawnAt: (port: string) => ChildProcess,
  host = LOOPBACK,
) {
  // Free on the usual loopback address, and so on every host: the embedded DynamoDB refuses a port that anybody has there.
  const port = String(await freePort());
  const endpoint = `http://${host}:${port}`;
  const server = spawnAt(port);
  let said = '';
  server.once('error', ({ message }) => {
    said = message;
  });
  server.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-1_000);
  });
  const kill = () => void server.kill();
  process.once('exit', kill);
  let hasEnded = false;
  /** Resolves when the process of the server has ended, for any reason. */
  const ended = new Promise<void>((resolve) => server.once('close', resolve)).then(() => {
    hasEnded = true;
    process.off('exit', kill);
  });
  const stop = () => {
    kill();
    return ended;
  };
  const deadline = systemRuntime.now() + limitMs;
  while (systemRuntime.now() < deadline) {
    if (hasEnded) throw new Error(`${name} ended immediately: ${said.trim()}`);
    if (await responds(endpoint)) return { endpoint, ended, stop };
    await systemRuntime.sleep(POLL_INTERVAL_MS);
  }
  await stop();
  throw new Error(`${name} did not respond within ${limitMs} ms`);
}
