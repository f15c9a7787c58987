import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runMain, say } from '../program/stop.ts';

/** Something that a program needs is missing on this machine. */
export class MissingPrerequisite extends Error {}

/** Runs a check, which fails or is skipped: .ci/run knows it by the exit code 77, and shows the last line. */
export const runCheck = (check: () => Promise<number>): void =>
  runMain(
    () =>
      check().catch((error) => {
        if (!(error instanceof MissingPrerequisite)) throw error;
        say(error.message);
        return 77;
      }),
    1,
  );

/**
 * Requires a program of the machine, by a command that succeeds where it is.
 *
 * @param sentence says what is missing, and what is not done without it
 * @throws {MissingPrerequisite}
 */
export function requireProgram([program, ...options]: readonly [string, ...string[]], sentence: string): void {
  if (spawnSync(program, options).status !== 0) throw new MissingPrerequisite(sentence);
}

/** Runs a program, which prints why it fails. @throws {Error} if it fails */
export function run(program: string, ...options: string[]): void {
  execFileSync(program, options, { stdio: 'inherit' });
}

/**
 * Requires what compiles Java, and fetches what that needs.
 *
 * @throws {MissingPrerequisite}
 */
export function requireJava(user: string, loss: string): void {
  requireProgram(['javac', '--release', '17', '--version'], `${user} needs a JDK, 17 or newer: ${loss}.`);
  requireProgram(['mvn', '--version'], `${user} needs Maven as "mvn": ${loss}.`);
}

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
  if (!existsSync(python)) run('python3', '-m', 'venv', join(folder, 'venv'));
  // Most modules are never imported: they are not compiled.
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  run(python, '-m', 'pip', 'install', ...options, '--requirement', requirements);
  return python;
}
