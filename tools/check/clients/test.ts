/**
 * `npm run test:clients`: generates clients from docs/openapi.json, compiles them, and uses each with a service. Compiles
 * the examples for react-admin and TanStack Table. Needs a JDK, Maven, Go and Python. Compiled clients are kept in ~/.cache: cache.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemRuntime } from '../../../lib/ground/index.ts';
import { startServer } from '../../local/server.ts';
import { readOptions } from '../../program/options.ts';
import { findPython, requireJava, requireProgram, run, runCheck } from '../prerequisites.ts';
import { madeOnce } from './cache.ts';
import { compileExamples } from './examples.ts';

const USER = 'The test of generated clients';
const LOSS = 'no client was generated';
const START_TIMEOUT_MS = 120_000;

/** Kept from one run to the next, but for what pom.xml generates into `out`. */
const FOLDER = '.local/clients';
const OUT = join(FOLDER, 'out');
const [GO, JAVA, TYPESCRIPT, PYTHON] = ['go', 'java-native', 'typescript', 'python'].map((client) =>
  join(OUT, client),
) as [string, string, string, string];

const here = (file: string): string => join(import.meta.dirname, file);

/** Runs a program that asks the service. Its log is read meanwhile: a full pipe would stop the service. */
async function use(program: string, ...options: string[]): Promise<void> {
  const [code] = await once(spawn(program, options, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

const maven = (pom: string, ...options: string[]): void => run('mvn', '-q', '-B', '-f', pom, ...options);

function compileJava(): void {
  copyFileSync(here('Use.java'), join(JAVA, 'src/main/java/Use.java'));
  maven(join(JAVA, 'pom.xml'), 'compile');
}

const useJava = (url: string): Promise<void> => {
  const options = ['-Dexec.mainClass=Use', `-Dexec.args=${url}`];
  const goal = 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java';
  return use('mvn', '-q', '-B', '-f', join(JAVA, 'pom.xml'), goal, ...options);
};

function compileGo(): void {
  mkdirSync(join(GO, 'use'));
  copyFileSync(here('use.go'), join(GO, 'use', 'main.go'));
  run('go', '-C', GO, 'mod', 'tidy');
  run('go', '-C', GO, 'vet', './...');
  run('go', '-C', GO, 'build', '-o', 'used', './use');
}

function compileTypeScript(): void {
  const options = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  const program = 'node_modules/typescript/bin/tsc';
  run(process.execPath, program, ...options.split(' '), join(TYPESCRIPT, 'index.ts'));
}

/** A Node that strips types would not take the enumerations of the client. */
async function useTypeScript(url: string): Promise<void> {
  const program = join(FOLDER, 'use.mjs');
  const options = ['--bundle', '--platform=node', '--format=esm', '--log-level=warning', `--outfile=${program}`];
  run('node_modules/.bin/esbuild', here('use.mjs'), ...options);
  await use(process.execPath, program, url);
}

/** Python compiles what it imports. */
const IMPORT_ALL = `import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
client = importlib.import_module('user_management')
for _, name, _ in pkgutil.walk_packages(client.__path__, 'user_management.'): importlib.import_module(name)
sys.modules['user_management.api.users_api']`;

/** Says how long a step took. */
async function step(name: string, work: () => void | Promise<void>): Promise<void> {
  const start = systemRuntime.monotonic();
  await work();
  process.stdout.write(`${name}: ${((systemRuntime.monotonic() - start) / 1_000).toFixed(1)} s\n`);
}

async function makeClients(python: string): Promise<void> {
  await step('generate', () => maven(here('pom.xml'), 'generate-sources'));
  await step('compile Go', compileGo);
  await step('compile Java, native', compileJava);
  await step('compile TypeScript', compileTypeScript);
  await step('import Python', () => run(python, '-c', IMPORT_ALL, PYTHON));
}

async function test(): Promise<number> {
  readOptions({}, 'Usage: npm run test:clients. Needs a JDK, Maven, Go and Python');
  requireProgram(['go', 'version'], `${USER} needs Go as "go": ${LOSS}.`);
  requireJava(USER, LOSS);
  const python = findPython(USER, LOSS, here('requirements.txt'), FOLDER);
  await step('compile the examples', () => compileExamples(join(FOLDER, 'examples')));
  const isCopied = await madeOnce(OUT, () => makeClients(python));
  if (isCopied) process.stdout.write('The clients are those that this machine has compiled before.\n');
  const service = await startServer('The service', START_TIMEOUT_MS, (PORT) =>
    spawn(process.execPath, ['node_modules/serverless/bin/serverless.js', 'offline', '--host', '127.0.0.1'], {
      env: { ...process.env, PORT, OIDC_ISSUER: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  try {
    await step('use Go', () => use(join(GO, 'used'), service.endpoint));
    await step('use Java, native', () => useJava(service.endpoint));
    await step('use TypeScript', () => useTypeScript(service.endpoint));
    await step('use Python', () => use(python, here('use.py'), PYTHON, service.endpoint));
  } finally {
    await service.stop();
  }
  return 0;
}

runCheck(test);
