import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `npm run smoke`. */
export const smoke = (url: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const program = ['lib/tooling/operations/smoke.ts', ...url];
    const child = spawn(process.execPath, program, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('exit', (code) => resolve({ code, stdout, stderr }));
  });

/** How many steps passed. */
export const ticks = (output: string): number => output.split('\n').filter((line) => line.startsWith('✓')).length;
