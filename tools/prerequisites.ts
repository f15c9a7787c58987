/** What a program needs and the machine does not have. */
export class MissingPrerequisite extends Error {}

/** The code of a program that did nothing because something is missing. Test runners such as Automake's take it for "skipped". */
export const SKIPPED = 77;

/** Prints why a program has failed, and sets its exit code: one of its own if the machine lacks what it needs. */
export function endWith(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof MissingPrerequisite ? SKIPPED : 1;
}
