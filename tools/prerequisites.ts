import { runProgram } from './runProgram.ts';

/** What a program needs and the machine does not have. */
export class MissingPrerequisite extends Error {}

/**
 * Requires a program of the machine, by a command that succeeds where it is.
 *
 * @param sentence says what is missing, and what is not done without it
 * @throws {MissingPrerequisite}
 */
export function requireProgram([program, ...options]: readonly [string, ...string[]], sentence: string): void {
  if (!runProgram(program, options).isWell) throw new MissingPrerequisite(sentence);
}

/** Prints why a program has failed, and sets its exit code. */
export function endWith(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
