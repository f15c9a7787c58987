import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../tools/local/port.ts';
import { checkAgainstDocument, type Exchange } from './contract.ts';
import { ROOT } from './files.ts';

const START_TIMEOUT_MS = 600_000;

export type LocalService = Awaited<ReturnType<typeof launch>>;

export interface Start {
  env?: Record<string, string>;
  /** The folder of the project, which may be a copy. */
  root?: string;
  command?: readonly [program: string, ...options: string[]];
  /** Options of `serverless offline`. */
  options?: readonly string[];
}

/** The command that `npm start` runs. */
const COMMAND = [process.execPath, 'node_modules/serverless/bin/serverless.js', 'offline'] as const;

/** Starts share what they have compiled, and what they have left out of TypeScript: that is up to half of the work of a short program. */
export const NODE_COMPILE_CACHE = join(tmpdir(), 'user-management-compiled');

/** A variable of the environment that only this run has. All its processes inherit it. */
const MARK = 'TEST_RUN';

/** The command lines of all processes, with their environments. */
const commandLines = (): string[] => execFileSync('ps', ['axeww', '-o', 'args'], { encoding: 'utf8' }).split('\n');

/** Starts what `npm start` starts, as a process. Does not wait until it is ready. */
export async function launch({ env = {}, root = ROOT, command = COMMAND, options: more = [] }: Start = {}) {
  const port = Number(env.PORT ?? (await freePort()));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const run = randomUUID();
  const [program, ...options] = command;
  const child = spawn(program, [...options, ...more], {
    cwd: root,
    env: { ...inherited, NO_COLOR: '1', NODE_COMPILE_CACHE, PORT: String(port), [MARK]: run, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit').then(([code, signal]): number | string | null => code ?? signal);
  return {
    url: `http://localhost:${port}`,
    port,
    pid: child.pid ?? 0,
    /** Everything that it has printed so far. */
    output: () => output,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves with the exit code, or with the signal that ended it. */
    ended,
    /** Sends Ctrl-C, or another signal. Resolves as `ended` does. */
    stop: (signal: NodeJS.Signals = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
    /** The command lines of its processes that still run, with all descendants. */
    processes: () => commandLines().filter((line) => line.includes(`${MARK}=${run}`)),
  };
}

/** Starts a service, and resolves when it is ready. */
export async function startService(start: Start = {}): Promise<LocalService> {
  const service = await launch(start);
  let ended = false;
  service.ended.then(() => (ended = true));
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += 100) {
    if (service.output().includes('Server ready')) return service;
    if (ended) throw new Error(`The service ended at its start:\n${service.output()}`);
    await setTimeout(100);
  }
  await service.stop();
  throw new Error(`The service did not start:\n${service.output()}`);
}

interface ServiceResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export type Call = (
  method: string,
  path: string,
  options?: { json?: unknown; body?: string; headers?: Record<string, string> },
) => Promise<ServiceResponse>;

/**
 * Sends one request, on a connection of its own: a server closes one that is idle for six seconds, and a test that computes for longer
 * does not notice before it sends on it ("fetch failed: other side closed"). The response must be as the OpenAPI document says, and leak nothing. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const init = { method, headers: { connection: 'close', ...headers }, ...(body !== undefined && { body }) };
  const response = await fetch(`${url}${path}`, init);
  const received = { status: response.status, headers: response.headers, text: await response.text() };
  checkResponse({ method, path, ...received });
  return received;
}

/** Checks what must be true of every response. */
export function checkResponse(exchange: Exchange): void {
  const isJson = exchange.headers.get('content-type')?.includes('json');
  if (isJson && /errorMessage|stackTrace|node_modules/.test(exchange.text)) {
    throw new Error(`Leaked: ${exchange.text.slice(0, 500)}`);
  }
  checkAgainstDocument(exchange);
}

/** Calls the service in JSON. */
export const caller =
  (url: string): Call =>
  async (method, path, { json, body, headers } = {}) => {
    const { text, ...response } = await exchange(url, method, path, {
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
    });
    return { ...response, body: text === '' ? undefined : JSON.parse(text) };
  };

/** Creates users by calls of a service. */
export const createOver =
  (call: Call) =>
  async (json: object): Promise<{ id: number }> =>
    (await call('POST', '/api/users', { json })).body as { id: number };
