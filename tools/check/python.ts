import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../prerequisites.ts';
import { runWell } from '../runProgram.ts';

const CHECK = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/**
 * A Python with packages, in a folder of its own, which is kept from one run to the next.
 *
 * @param user who needs it, in messages
 * @param loss what is missing without it, in messages
 * @param requirements a file for pip, with versions
 * @throws {MissingPrerequisite} without Python
 */
export function findPython(user: string, loss: string, requirements: string, folder: string): string {
  requireProgram(['python3', '-c', CHECK], `${user} needs Python 3.10 or newer as "python3", with venv: ${loss}.`);
  const python = join(folder, 'venv', 'bin', 'python');
  if (!existsSync(python)) runWell('python3', ['-m', 'venv', join(folder, 'venv')]);
  runWell(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]);
  return python;
}
