import { requireProgram } from '../prerequisites.ts';

/**
 * Requires what compiles Java, and fetches what that needs.
 *
 * @throws {MissingPrerequisite}
 */
export function requireJava(user: string, loss: string): void {
  requireProgram(['javac', '--release', '17', '--version'], `${user} needs a JDK, 17 or newer: ${loss}.`);
  requireProgram(['mvn', '--version'], `${user} needs Maven as "mvn": ${loss}.`);
}
