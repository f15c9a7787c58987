import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { ROOT } from './files.ts';
import { NODE_COMPILE_CACHE } from './httpService.ts';
import { close, listen } from './servers.ts';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  input?: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Starts a program as one process, which can be killed. Its environment has only these variables, PATH, and what Node has compiled before. */
export function startProgram(
  file: string,
  options: readonly string[],
  { input, env, cwd = ROOT }: Options = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(file, options, { cwd, env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(input);
  return {
    child,
    ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr })),
  };
}

export const runProgram = (...request: Parameters<typeof startProgram>): Promise<Ended> =>
  startProgram(...request).ended;

/** Runs `npm run import` and the like as one process, which can be killed. */
export const startMoving = (
  command: 'import' | 'export' | '../operate/smoke',
  options: readonly string[],
  more: { input?: string; env?: Record<string, string> } = {},
) => startProgram(process.execPath, [`tools/import/${command}.ts`, ...options], more);

export const moving = (...request: Parameters<typeof startMoving>): Promise<Ended> => startMoving(...request).ended;

/** A service whose responses are made up. It ends with the test. */
export function serveForTest(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  onTestFinished(() => close(server));
  return listen(server);
}

/** A folder that is removed with the file, or the `describe`, that asks for it. */
export function temporaryFolder(atEnd: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder that is removed with the test. */
export const folderForTest = (): string => temporaryFolder(onTestFinished);

/** Runs `npm run smoke`. */
export const smoke = (url: string[], env: Record<string, string> = {}): Promise<Ended> =>
  moving('../operate/smoke', url, { env });
