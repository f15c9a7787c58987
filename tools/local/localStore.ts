import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { optionalVariable } from '../../lib/runtime.ts';
import { startEmbeddedStore, storeProgram } from './embeddedStore.ts';
import { hiddenAddress } from './port.ts';
import { type Server, startServer } from './server.ts';

const START_TIMEOUT_MS = 30_000;

const SERVE = fileURLToPath(new URL('./memoryStore/serve.ts', import.meta.url));

/** A process group, or on Windows a console, of its own: Ctrl-C reaches only the service, which needs the store until it ends. */
const APART = process.platform === 'win32' ? { windowsHide: true } : { detached: true };

/** Starts the store in memory, as a process that ends with this one. */
export async function startMemoryStore(): Promise<Server> {
  const host = await hiddenAddress();
  const spawnAt = (port: string) =>
    spawn(process.execPath, [SERVE, host, port], { stdio: ['pipe', 'ignore', 'pipe'], ...APART });
  return startServer('The store in memory', START_TIMEOUT_MS, spawnAt, host);
}

export interface LocalStore extends Server {
  /** What messages call it. */
  name: 'The embedded DynamoDB' | 'The store in memory';
}

/** Whether there is an embedded DynamoDB, and nobody asks for the store in memory. */
export const isEmbedded = (): boolean => optionalVariable('LOCAL_STORE') !== 'memory' && storeProgram() !== undefined;

/**
 * Starts the embedded DynamoDB, or the store in memory where npm has none for the platform, or `LOCAL_STORE` is `memory`.
 *
 * @param dataFile keeps the data for the next start. Without it the data is in memory
 * @throws {Error} when the store does not start, or cannot keep data
 */
export async function startLocalStore(dataFile?: string): Promise<LocalStore> {
  if (isEmbedded()) return { ...(await startEmbeddedStore(dataFile)), name: 'The embedded DynamoDB' };
  if (dataFile !== undefined)
    throw new Error(
      'DYNAMODB_DATA needs the embedded DynamoDB, which npm installs on Linux x64, and without LOCAL_STORE. To keep data, start ' +
        'any DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
        'AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.',
    );
  return { ...(await startMemoryStore()), name: 'The store in memory' };
}
