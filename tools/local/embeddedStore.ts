import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { hiddenAddress } from './port.ts';
import { type Server, startServer } from './server.ts';

const START_TIMEOUT_MS = 10_000;

/** The path of the program of the embedded DynamoDB. `npm ci` installs it on Linux x64. Undefined where there is none. */
export function storeProgram(platform = `${process.platform}-${process.arch}`): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/dynoxide`);
  } catch {
    return undefined;
  }
}

/**
 * Starts a watcher in the background, then becomes the store. The watcher ends the store when standard input is closed. The
 * process of the service holds the other end, so that is closed when the service ends, even after `kill -9`.
 */
const ENDS_WITH_PARENT = 'exec 3<&0; (read _ <&3; kill $$) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';

/** The store has its own process group: Ctrl-C in a terminal reaches only the service, which needs the store until it ends. */
function spawnStore(program: string, options: readonly string[]): ChildProcess {
  const command = ['-c', ENDS_WITH_PARENT, 'sh', program, ...options];
  return spawn('sh', command, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
}

/**
 * Starts an embedded DynamoDB. It checks no key, and lets the pages of all origins call it: only its address keeps them away.
 *
 * @param dataFile keeps the data for the next start. Without it the data is in memory
 * @throws {Error} when there is no program for the platform, or it does not start
 */
export async function startEmbeddedStore(dataFile?: string): Promise<Server> {
  const program = storeProgram();
  if (program === undefined)
    throw new Error('There is no embedded DynamoDB for this platform: npm has it for Linux x64.');
  const data = dataFile ? ['--db-path', dataFile] : [];
  const host = await hiddenAddress();
  const spawnAt = (port: string) => spawnStore(program, ['--host', host, '--port', port, ...data]);
  return startServer('The embedded DynamoDB', START_TIMEOUT_MS, spawnAt, host);
}
