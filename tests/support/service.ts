import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const ROOT = new URL('../..', import.meta.url).pathname;
const START_TIMEOUT_MS = 60_000;

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export interface LocalService {
  url: string;
  port: number;
  /** All that it printed so far. */
  output: () => string;
  /** Ctrl-C. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

/** What a developer starts with `npm start`, as a process of its own. */
export async function startService(env: Record<string, string> = {}): Promise<LocalService> {
  const port = await freePort();
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const child = spawn(process.execPath, ['node_modules/serverless/bin/serverless.js', 'offline'], {
    cwd: ROOT,
    env: { ...inherited, NO_COLOR: '1', PORT: String(port), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = ended(child);
  const service = {
    url: `http://localhost:${port}`,
    port,
    output: () => output,
    stop: () => {
      child.kill('SIGINT');
      return exited;
    },
  };
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    if (output.includes('Server ready')) return service;
    if (child.exitCode !== null) throw new Error(`The service ended at its start:\n${output}`);
    await setTimeout(100);
  }
  await service.stop();
  throw new Error(`The service did not start:\n${output}`);
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export type Call = (
  method: string,
  path: string,
  options?: { json?: unknown; body?: string; headers?: Record<string, string> },
) => Promise<Answer>;

/** Calls the service and checks what holds for every answer: JSON, the one error shape, nothing that leaks. */
export const caller =
  (url: string): Call =>
  async (method, path, { json, body, headers } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
    });
    const text = await response.text();
    if (/errorMessage|stackTrace|node_modules/.test(text)) throw new Error(`Leaked: ${text}`);
    const parsed = text === '' ? undefined : JSON.parse(text);
    if (response.status >= 400 && method !== 'HEAD') {
      const keys = Object.keys(parsed ?? {});
      const isShaped =
        keys.join() === 'status,message' && parsed.status === response.status && typeof parsed.message === 'string';
      if (!isShaped) throw new Error(`Not the one error shape: ${response.status} ${text}`);
    }
    return { status: response.status, headers: response.headers, body: parsed };
  };
