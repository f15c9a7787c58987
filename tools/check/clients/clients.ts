import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireProgram } from '../../prerequisites.ts';
import { runWell } from '../../runProgram.ts';
import { copyJars, requireJava } from '../java.ts';
import type { PythonProgram } from '../python.ts';

/** Kept from one run to the next. */
const FOLDER = '.local/clients';

const USER = 'The test of generated clients';
const LOSS = 'no client was generated';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** https://openapi-generator.tech, in the version of pom.xml */
const GENERATOR = `${FOLDER}/generator/openapi-generator-cli-7.25.0.jar`;

/** The packages that the client in Python needs. */
export const PACKAGES: PythonProgram = {
  user: USER,
  loss: LOSS,
  requirements: here('requirements.txt'),
  folder: FOLDER,
};

/** Parameters by name, so that a program that uses the client stays valid when an operation gets another parameter. */
const BY_NAME = { useSingleRequestParameter: 'true' };

/** What makes each client. */
const CLIENTS = {
  go: { generatorName: 'go', gitUserId: 'example', gitRepoId: 'users', additionalProperties: { packageName: 'users' } },
  'java-native': { generatorName: 'java', library: 'native', additionalProperties: BY_NAME },
  typescript: { generatorName: 'typescript-fetch' },
  python: { generatorName: 'python', additionalProperties: { packageName: 'user_management' } },
};

type Client = keyof typeof CLIENTS;

/** Only the code: its tests are empty, and need more packages than it does. */
const ONLY_CODE = { apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' };

const folderOf = (client: Client): string => join(FOLDER, 'out', client);

/** @throws {MissingPrerequisite} without Go, a JDK or Maven */
export function requireCompilers(): void {
  requireProgram(['go', 'version'], `${USER} needs Go as "go": ${LOSS}.`);
  requireJava(USER, LOSS);
}

function configure(client: Client): string {
  const config = { ...CLIENTS[client], inputSpec: resolve('docs/openapi.json'), outputDir: resolve(folderOf(client)) };
  const file = join(FOLDER, 'out', `${client}.json`);
  writeFileSync(file, JSON.stringify({ ...config, globalProperties: ONLY_CODE }));
  return file;
}

/** Generates all clients in one process. */
export function generate(): void {
  if (!existsSync(GENERATOR)) copyJars(here('pom.xml'), join(GENERATOR, '..'), 'runtime');
  rmSync(join(FOLDER, 'out'), { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'out'), { recursive: true });
  const configs = (Object.keys(CLIENTS) as Client[]).map(configure);
  runWell('java', ['-jar', GENERATOR, 'batch', '--fail-fast', ...configs]);
}

/** Compiles, too, what the client is used by. */
export function compileGo(): void {
  const folder = folderOf('go');
  mkdirSync(join(folder, 'use'));
  copyFileSync(here('use.go'), join(folder, 'use', 'main.go'));
  runWell('go', ['-C', folder, 'mod', 'tidy']);
  runWell('go', ['-C', folder, 'vet', './...']);
}

export const useGo = (url: string): string => runWell('go', ['-C', folderOf('go'), 'run', './use', url]);

const classPathOf = (client: Client): string =>
  [join(folderOf(client), 'jars', '*'), join(folderOf(client), 'classes')].join(delimiter);

/** With the archives that its own file for Maven names. */
export function compileJava(client: Client): void {
  const folder = folderOf(client);
  copyJars(join(folder, 'pom.xml'), join(folder, 'jars'), 'compile');
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' });
  const files = sources.filter((file) => file.endsWith('.java')).map((file) => join(folder, 'src', file));
  runWell('javac', ['-nowarn', '-d', join(folder, 'classes'), '-cp', classPathOf(client), ...files]);
}

export const useJava = (client: Client, url: string): string =>
  runWell('java', ['-ea', '-cp', classPathOf(client), here('Use.java'), url]);

export function compileTypeScript(): void {
  const options = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  const program = 'node_modules/typescript/bin/tsc';
  runWell(process.execPath, [program, ...options.split(' '), join(folderOf('typescript'), 'index.ts')]);
}

/** Python compiles what it imports. */
const IMPORT_ALL = `import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
client = importlib.import_module('user_management')
for _, name, _ in pkgutil.walk_packages(client.__path__, 'user_management.'): importlib.import_module(name)
sys.modules['user_management.api.users_api']`;

export const importPython = (python: string): string => runWell(python, ['-c', IMPORT_ALL, folderOf('python')]);
