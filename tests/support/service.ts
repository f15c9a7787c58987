import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { checkAgainstDocument, type Exchange } from './contract.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const START_TIMEOUT_MS = 100_000;

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
  signal: (signal: NodeJS.Signals) => void;
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
    signal: (signal: NodeJS.Signals) => child.kill(signal),
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

/** One request. Its answer must be as the OpenAPI document says, and leak nothing. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  checkAnswer({ method, path, ...answer });
  return answer;
}

/** What holds for every answer. */
export function checkAnswer(answer: Exchange): void {
  const isJson = answer.headers.get('content-type')?.includes('json');
  if (isJson && /errorMessage|stackTrace|node_modules/.test(answer.text)) {
    throw new Error(`Leaked: ${answer.text.slice(0, 500)}`);
  }
  checkAgainstDocument(answer);
}

/** Calls the service in JSON. */
export const caller =
  (url: string): Call =>
  async (method, path, { json, body, headers } = {}) => {
    const { text, ...answer } = await exchange(url, method, path, {
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
    });
    return { ...answer, body: text === '' ? undefined : JSON.parse(text) };
  };
