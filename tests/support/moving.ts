import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Moved {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `npm run import`, `npm run copy` and the like as one process, which can be killed. */
export function startMoving(
  command: 'import' | 'export' | 'copy' | 'restoreUser',
  options: readonly string[],
  { input, env = {} }: { input?: string; env?: Record<string, string> } = {},
): { child: ChildProcess; ended: Promise<Moved> } {
  const program = [`lib/tooling/moving/${command}.ts`, ...options];
  const child = spawn(process.execPath, program, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(input);
  return {
    child,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))),
  };
}

export const moving = (...request: Parameters<typeof startMoving>): Promise<Moved> => startMoving(...request).ended;

/** A folder that is removed with the test. */
export function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'moving-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
