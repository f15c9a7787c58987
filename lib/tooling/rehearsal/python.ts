import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kept from one rehearsal to the next. */
const FOLDER = '.local/rehearsal';
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

const MIN_VERSION = [3, 10] as const;
const VERSION_CHECK = `import sys; sys.exit(sys.version_info < (${MIN_VERSION.join(', ')}))`;

/** Runs a program, and returns its output or why it failed. */
export type Run = (program: string, options: readonly string[]) => { isWell: boolean; said: string };

const runForReal: Run = (program, options) => {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8' });
  return { isWell: status === 0, said: `${stdout ?? ''}${stderr ?? ''}`.trim() };
};

/**
 * A Python with moto's server, in a folder of its own.
 *
 * @throws {Error} that says what is missing
 */
export function findPython(run: Run = runForReal): string {
  if (!run('python3', ['-c', VERSION_CHECK]).isWell) {
    throw new Error(
      `The rehearsal needs Python ${MIN_VERSION.join('.')} or newer as "python3": nothing was rehearsed.`,
    );
  }
  const python = join(FOLDER, 'venv', 'bin', 'python');
  if (run(python, ['-c', 'import moto.server, flask']).isWell) return python;
  mkdirSync(FOLDER, { recursive: true });
  const made = run('python3', ['-m', 'venv', join(FOLDER, 'venv')]);
  if (!made.isWell) throw new Error(`Python could not make a virtual environment (Debian: python3-venv): ${made.said}`);
  const installed = run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', REQUIREMENTS]);
  if (!installed.isWell) throw new Error(`moto could not be installed: ${installed.said}`);
  return python;
}
