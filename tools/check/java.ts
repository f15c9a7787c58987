import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MissingPrerequisite } from '../prerequisites.ts';
import { type Run, runProgram } from '../runProgram.ts';

const MIN_JAVA = 17;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';

/** What Maven fetches for use here. */
export interface JavaProgram {
  /** Its name in messages. */
  name: string;
  /** Who needs it, in messages. */
  user: string;
  /** What is missing without it, in messages. */
  loss: string;
  /** The file for Maven that names it. */
  pom: string;
  /** Where its archives are kept from one run to the next. */
  folder: string;
  /** One of them, which is there if all are. */
  jar: string;
}

const javaVersion = (said: string): number => Number(/version "(\d+)/.exec(said)?.[1] ?? 0);

/** What a program needs to run, or to be compiled. */
type Scope = 'runtime' | 'compile';

/** Copies the archives that a file for Maven names into a folder. */
export function copyJars(
  { name, pom, folder }: Pick<JavaProgram, 'name' | 'pom' | 'folder'>,
  scope: Scope,
  run: Run = runProgram,
): void {
  const options = [`-DoutputDirectory=${resolve(folder)}`, `-DincludeScope=${scope}`];
  const fetched = run('mvn', ['-q', '-f', pom, COPY, ...options]);
  if (!fetched.isWell) throw new Error(`Maven could not download ${name}: ${fetched.said}`);
}

/**
 * Downloads a program, unless it is there already.
 *
 * @throws {MissingPrerequisite} without Java or Maven
 */
export function fetchJars(
  program: JavaProgram,
  run: Run = runProgram,
  isThere: (file: string) => boolean = existsSync,
): void {
  const { name, user, loss, folder, jar } = program;
  if (javaVersion(run('java', ['-version']).said) < MIN_JAVA || !run('javac', ['-version']).isWell) {
    throw new MissingPrerequisite(`${user} needs a JDK, ${MIN_JAVA} or newer: ${loss}.`);
  }
  if (isThere(join(folder, jar))) return;
  if (!run('mvn', ['--version']).isWell) {
    throw new MissingPrerequisite(`Maven ("mvn") is needed to download ${name}, and is not there: ${loss}.`);
  }
  copyJars(program, 'runtime', run);
}
