import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MissingPrerequisite } from '../prerequisites.ts';
import { type Run, runProgram } from '../runProgram.ts';

/** Kept from one run to the next. */
export const JARS = '.local/dynamodb-local';

const POM = fileURLToPath(new URL('pom.xml', import.meta.url));
/** The same as in pom.xml. */
const JAR = 'DynamoDBLocal-2.6.1.jar';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const MIN_JAVA = 17;

const javaVersion = (said: string): number => Number(/version "(\d+)/.exec(said)?.[1] ?? 0);

/**
 * Downloads DynamoDB Local, unless it is there already.
 *
 * @throws {MissingPrerequisite} without Java or Maven
 */
export function fetchJars(run: Run = runProgram, isThere: (file: string) => boolean = existsSync): void {
  if (javaVersion(run('java', ['-version']).said) < MIN_JAVA || !run('javac', ['-version']).isWell) {
    throw new MissingPrerequisite(`DynamoDB Local needs a JDK, ${MIN_JAVA} or newer: nothing was tested.`);
  }
  if (isThere(join(JARS, JAR))) return;
  if (!run('mvn', ['--version']).isWell) {
    throw new MissingPrerequisite(
      `Maven ("mvn") is needed to download DynamoDB Local, and is not there: nothing was tested.`,
    );
  }
  const fetched = run('mvn', ['-q', '-f', POM, COPY, `-DoutputDirectory=${resolve(JARS)}`, '-DincludeScope=runtime']);
  if (!fetched.isWell) throw new Error(`Maven could not download DynamoDB Local: ${fetched.said}`);
}
