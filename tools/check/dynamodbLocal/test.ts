/**
 * `npm run test:dynamodb-local`: integration tests on AWS's DynamoDB Local instead of the embedded store. README.md in this
 * folder lists the units that it counts differently.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemRuntime } from '../../../lib/runtime.ts';
import { freePort } from '../../local/port.ts';
import { endWith } from '../../prerequisites.ts';
import { fetchJars, type JavaProgram } from '../java.ts';

const LOCAL: JavaProgram = {
  name: 'DynamoDB Local',
  user: 'DynamoDB Local',
  loss: 'nothing was tested',
  pom: fileURLToPath(new URL('pom.xml', import.meta.url)),
  folder: '.local/dynamodb-local',
  /** With the version in pom.xml. */
  jar: 'DynamoDBLocal-2.6.1.jar',
};

const PROGRAM = fileURLToPath(new URL('OnLoopback.java', import.meta.url));
const START_TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 200;

/** The tests that use a store, except tests for one store only: its start, faults between it and the service, and measurements. */
const FILES = [
  ...['cost', 'list/listings', 'list/reads', 'scheduled'].map((name) => `integration/${name}`),
  ...['fillKeys', 'verify'].map((name) => `tools/${name}`),
].map((name) => `tests/${name}.test.ts`);

/** Tests that are left out, because DynamoDB Local counts units differently. */
const NAMES = '^(?!.*(write units|the read that exceeds it))';

/** One database for all regions and credentials. */
const startLocal = (port: number): ChildProcess =>
  spawn(
    'java',
    [
      `-Djava.library.path=${LOCAL.folder}`,
      '-cp',
      join(LOCAL.folder, '*'),
      PROGRAM,
      ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: 'ignore', env: { ...process.env, DDB_LOCAL_TELEMETRY: '0' } },
  );

async function untilItResponds(endpoint: string, local: ChildProcess): Promise<void> {
  const deadline = systemRuntime.now() + START_TIMEOUT_MS;
  while (systemRuntime.now() < deadline && local.exitCode === null) {
    const isUp = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await systemRuntime.sleep(POLL_INTERVAL_MS);
  }
  throw new Error('DynamoDB Local does not respond');
}

/** Vitest runs the files that it finds, and says nothing of others. */
function refuseMissing(files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
}

async function test(): Promise<number> {
  const files = process.argv.length > 2 ? process.argv.slice(2) : FILES;
  refuseMissing(files);
  fetchJars(LOCAL);
  const port = await freePort();
  const local = startLocal(port);
  process.once('exit', () => local.kill());
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItResponds(endpoint, local);
  const options = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '2', '-t', NAMES, ...files];
  const env = { ...process.env, TEST_DYNAMODB: endpoint };
  const vitest = spawn(process.execPath, options, { stdio: 'inherit', env });
  const code = await new Promise<number>((resolve) => vitest.once('close', (status) => resolve(status ?? 1)));
  local.kill();
  return code;
}

test().then((code) => {
  process.exitCode = code;
}, endWith);
