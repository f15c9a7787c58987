import { resolve } from 'node:path';
import { requireProgram } from '../prerequisites.ts';
import { runWell } from '../runProgram.ts';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/**
 * Requires what compiles Java, and fetches what that needs.
 *
 * @throws {MissingPrerequisite}
 */
export function requireJava(user: string, loss: string): void {
  requireProgram(['javac', '--release', '17', '--version'], `${user} needs a JDK, 17 or newer: ${loss}.`);
  requireProgram(['mvn', '--version'], `${user} needs Maven as "mvn": ${loss}.`);
}

/** Lets Maven copy the archives that its file names, and what they need. */
export function copyJars(pom: string, folder: string): void {
  runWell('mvn', ['-q', '-f', pom, COPY, `-DoutputDirectory=${resolve(folder)}`, '-DincludeScope=runtime']);
}
