import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 20;

export interface EmbeddedStore {
  endpoint: string;
  stop(): Promise<void>;
}

/** @throws {Error} that names the ways out where npm has no binary for the platform */
export function findExecutable(platform = `${process.platform}-${process.arch}`): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}/package.json`);
    return join(dirname(manifest), 'dynoxide');
  } catch (cause) {
    throw new Error(
      `There is no embedded DynamoDB for ${platform} here. Two ways out: ` +
        `install one with "npm install --no-save @dynoxide/${platform}", if npm has it; or start any ` +
        'DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
        'AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.',
      { cause },
    );
  }
}

/** The store does not tell the port that it draws by itself. */
async function freePort(): Promise<number> {
  const server = await new Promise<Server>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, HOST, () => resolve(probe));
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}

async function untilItAnswers(endpoint: string, child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-1_000);
  });
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    if (child.exitCode !== null) throw new Error(`The embedded DynamoDB ended at once: ${said.trim()}`);
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await setTimeout(POLL_INTERVAL_MS);
  }
  throw new Error(`The embedded DynamoDB did not answer within ${START_TIMEOUT_MS} ms`);
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Calls `kill` when this process ends, by itself or by a signal. A signal that nobody else handles still ends it. */
function endWithProcess(kill: () => void): () => void {
  const handlers = Object.entries(SIGNALS).map(([signal, number]) => {
    const handle = () => {
      kill();
      if (process.listenerCount(signal) === 0) process.exit(128 + number);
    };
    return [signal, handle] as const;
  });
  process.once('exit', kill);
  for (const [signal, handle] of handlers) process.once(signal, handle);
  return () => {
    process.off('exit', kill);
    for (const [signal, handle] of handlers) process.off(signal, handle);
  };
}

/**
 * Starts DynamoDB in a process of its own, on loopback and a free port. It ends with `stop`, at the latest with this
 * process.
 *
 * @param dataFile keeps the data from one start to the next; without one it lives in memory
 * @throws {Error} where no executable is installed for the platform, or it does not start
 */
export async function startEmbeddedStore(dataFile?: string): Promise<EmbeddedStore> {
  const port = await freePort();
  const options = ['--host', HOST, '--port', String(port), ...(dataFile ? ['--db-path', dataFile] : [])];
  const child = spawn(findExecutable(), options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => child.kill();
  const forget = endWithProcess(kill);
  const endpoint = `http://${HOST}:${port}`;
  const stop = async () => {
    forget();
    kill();
    await ended;
  };
  try {
    await untilItAnswers(endpoint, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}
