import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from './port.ts';
import { untilItResponds } from './server.ts';
import { storeProgram } from './storeProgram.ts';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 10_000;

export interface EmbeddedStore {
  endpoint: string;
  /** Resolves when the process of the store has ended, for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a watcher in the background, then becomes the store. The watcher ends the store when standard input is closed. The
 * process of the service holds the other end, so that is closed when the service ends, even after `kill -9`.
 */
const ENDS_WITH_PARENT = 'exec 3<&0; (read _ <&3; kill $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

/**
 * The store has its own process group: Ctrl-C in a terminal reaches only the service, which needs the store until it ends.
 * Windows ends the children of a process with it, and Ctrl-C does not reach a child without a window.
 */
function spawnStore(program: string, options: readonly string[]): ChildProcess {
  if (process.platform === 'win32')
    return spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
  const command = ['-c', ENDS_WITH_PARENT, 'sh', program, ...options];
  return spawn('sh', command, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
}

/**
 * Starts an embedded DynamoDB in its own process, on loopback and a free port. It ends with `stop`, or with this process.
 *
 * @param dataFile keeps the data for the next start. Without it the data is in memory
 * @throws {Error} when there is no program for the platform, or it does not start
 */
export async function startEmbeddedStore(dataFile?: string): Promise<EmbeddedStore> {
  const program = storeProgram();
  const port = String(await freePort());
  const data = dataFile ? ['--db-path', dataFile] : [];
  const child = spawnStore(program, ['--host', HOST, '--port', port, ...data]);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const endpoint = `http://${HOST}:${port}`;
  const stop = () => {
    child.kill();
    return ended;
  };
  try {
    await untilItResponds('The embedded DynamoDB', endpoint, child, START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, ended, stop };
}
