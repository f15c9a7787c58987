import { type ChildProcess, spawn } from 'node:child_process';
import { type Server, startServer } from './server.ts';
import { storeProgram } from './storeProgram.ts';

const START_TIMEOUT_MS = 10_000;

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
 * Starts an embedded DynamoDB.
 *
 * @param dataFile keeps the data for the next start. Without it the data is in memory
 * @throws {Error} when there is no program for the platform, or it does not start
 */
export function startEmbeddedStore(dataFile?: string): Promise<Server> {
  const program = storeProgram();
  const data = dataFile ? ['--db-path', dataFile] : [];
  return startServer('The embedded DynamoDB', START_TIMEOUT_MS, (port) =>
    spawnStore(program, ['--host', '127.0.0.1', '--port', port, ...data]),
  );
}
