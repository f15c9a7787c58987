import { runProgram } from './runProgram.ts';

/** What a program needs and the machine does not have. */
export class MissingPrerequisite extends Error {}

/** The code of a program that did nothing because something is missing. Test runners such as Automake's take it for "skipped". */
export const SKIPPED = 77;

/**
 * Requires a program of the machine, by a command that succeeds where it is.
 *
 * @param sentence says what is missing, and what is not done without it
 * @throws {MissingPrerequisite}
 */
export function requireProgram([program, ...options]: readonly [string, ...string[]], sentence: string): void {
  if (!runProgram(program, options).isWell) throw new MissingPrerequisite(sentence);
}

/** Prints why a program has failed, and sets its exit code: one of its own if the machine lacks what it needs. */
export function endWith(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof MissingPrerequisite ? SKIPPED : 1;
}
