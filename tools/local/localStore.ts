import { once } from 'node:events';
import { createServer } from 'node:http';
import { optionalVariable } from '../../lib/ground/index.ts';
import { startEmbeddedStore, storeProgram } from './embeddedStore.ts';
import { serveStore } from './memoryStore/server.ts';
import { freePort, hiddenAddress } from './port.ts';
import type { Server } from './server.ts';

/** Starts the store in memory, in this process. */
async function startMemoryStore(): Promise<Server> {
  const host = await hiddenAddress();
  const port = await freePort(host);
  const server = createServer(serveStore()).listen(port, host);
  await once(server.unref(), 'listening');
  const ended = once(server, 'close').then(() => undefined);
  return { endpoint: `http://${host}:${port}`, ended, stop: async () => void server.close() };
}

export interface LocalStore extends Server {
  /** Its name in messages. */
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
