import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../prerequisites.ts';
import { runProgram, runWell } from '../runProgram.ts';

const CHECK = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** Fails unless the first of the requirements is installed, in its version. pip installs it last. */
const INSTALLED_CHECK = `import re, sys, importlib.metadata
name, version = re.match(r'([\\w-]+).*==(\\S+)', open(sys.argv[1]).read()).groups()
sys.exit(importlib.metadata.version(name) != version)`;

/** A program in Python that is used here. */
export interface PythonProgram {
  /** Who needs it, in messages. */
  user: string;
  /** What is missing without it, in messages. */
  loss: string;
  /** A file for pip. Its first line is the program, with its version. */
  requirements: string;
  /** Where it is installed. Kept from one run to the next. */
  folder: string;
}

/**
 * A Python with a program, in a folder of its own.
 *
 * @throws {MissingPrerequisite} without Python
 */
export function findPython({ user, loss, requirements, folder }: PythonProgram): string {
  requireProgram(['python3', '-c', CHECK], `${user} needs Python 3.10 or newer as "python3", with venv: ${loss}.`);
  const python = join(folder, 'venv', 'bin', 'python');
  if (runProgram(python, ['-c', INSTALLED_CHECK, requirements]).isWell) return python;
  mkdirSync(folder, { recursive: true });
  runWell('python3', ['-m', 'venv', join(folder, 'venv')]);
  runWell(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
  return python;
}
