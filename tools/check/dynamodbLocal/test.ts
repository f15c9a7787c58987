/**
 * `npm run test:dynamodb-local`: integration tests on AWS's DynamoDB Local instead of the embedded store. README.md in this
 * folder lists the units that it counts differently. Needs a JDK and Maven.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startServer } from '../../local/server.ts';
import { readArguments } from '../../program/options.ts';
import { requireJava, run, runCheck } from '../prerequisites.ts';

const FOLDER = '.local/dynamodb-local';
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
/** With the version in pom.xml. */
const JAR = 'DynamoDBLocal-2.6.1.jar';

const here = (file: string): string => join(import.meta.dirname, file);
const START_TIMEOUT_MS = 90_000;

/** The tests that reach a store in each way, but for those of the store in memory alone. */
const FILES = readFileSync('tests/integration/store/reaching.txt', 'utf8')
  .split('\n')
  .filter((line) => /^[\w/]+$/.test(line))
  .map((name) => `tests/integration/${name}.test.ts`);

/** Tests that are left out, because DynamoDB Local counts units differently. */
const NAMES = '^(?!.*write units)';

/** One database for all regions and credentials. */
const OPTIONS = ['-inMemory', '-sharedDb', '-disableTelemetry'];

async function test(): Promise<number> {
  const asked = readArguments('Usage: npm run test:dynamodb-local -- [file of tests …]. Needs a JDK and Maven');
  const files = asked.length > 0 ? asked : FILES;
  // Vitest runs the files that it finds, and says nothing of others.
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
  requireJava('DynamoDB Local', 'nothing was tested');
  const copying = [COPY, `-DoutputDirectory=${resolve(FOLDER)}`, '-DincludeScope=runtime'];
  if (!existsSync(join(FOLDER, JAR))) run('mvn', '-q', '-f', here('pom.xml'), ...copying);
  const java = [`-Djava.library.path=${FOLDER}`, '-cp', join(FOLDER, '*'), here('OnLoopback.java'), ...OPTIONS];
  const { endpoint, stop } = await startServer('DynamoDB Local', START_TIMEOUT_MS, (port) =>
    spawn('java', [...java, '-port', port], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const options = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '2', '-t', NAMES, ...files];
  const env = { ...process.env, TEST_DYNAMODB: endpoint };
  const [code] = await once(spawn(process.execPath, options, { stdio: 'inherit', env }), 'close');
  await stop();
  return code ?? 1;
}

runCheck(test);
