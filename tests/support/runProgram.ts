import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

/** Starts a program as one process, which can be killed. Its environment has only these variables and PATH. */
export function startProgram(
  file: string,
  options: readonly string[],
  { input, env, cwd = ROOT }: Options = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(file, options, { cwd, env: { PATH: process.env.PATH, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(input);
  return {
    child,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))),
  };
}

export const runProgram = (...request: Parameters<typeof startProgram>): Promise<Ended> =>
  startProgram(...request).ended;
