import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JavaProgram } from '../java.ts';
import { run } from './run.ts';

const DOCUMENT = 'docs/openapi.json';

/** Kept from one run to the next. */
const FOLDER = '.local/clients';

/** https://openapi-generator.tech */
export const GENERATOR: JavaProgram = {
  name: 'openapi-generator',
  user: 'The test of generated clients',
  loss: 'no client was generated',
  pom: fileURLToPath(new URL('pom.xml', import.meta.url)),
  folder: `${FOLDER}/generator`,
  /** With the version in pom.xml. */
  jar: 'openapi-generator-cli-7.25.0.jar',
};

/** Parameters by name, so that a program that uses the client stays valid when an operation gets another parameter. */
const BY_NAME = { useSingleRequestParameter: 'true' };

/** What makes each client. */
const CLIENTS = {
  go: { generatorName: 'go', gitUserId: 'example', gitRepoId: 'users', additionalProperties: { packageName: 'users' } },
  'java-native': { generatorName: 'java', library: 'native', additionalProperties: BY_NAME },
  'java-okhttp-gson': { generatorName: 'java', library: 'okhttp-gson', additionalProperties: BY_NAME },
  typescript: { generatorName: 'typescript-fetch' },
  python: { generatorName: 'python', additionalProperties: { packageName: 'user_management' } },
};

export type Client = keyof typeof CLIENTS;

/** Where a client is written. */
export const folderOf = (client: Client): string => join(FOLDER, 'out', client);

/** Only the code: its tests are empty, and need more packages than it does. */
const ONLY_CODE = { apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' };

function configure(client: Client): string {
  const config = { ...CLIENTS[client], inputSpec: resolve(DOCUMENT), outputDir: resolve(folderOf(client)) };
  const file = join(FOLDER, 'out', `${client}.json`);
  writeFileSync(file, JSON.stringify({ ...config, globalProperties: ONLY_CODE }));
  return file;
}

/** Generates all clients in one process. */
export function generate(): void {
  rmSync(join(FOLDER, 'out'), { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'out'), { recursive: true });
  const configs = (Object.keys(CLIENTS) as Client[]).map(configure);
  run('java', '-jar', join(GENERATOR.folder, GENERATOR.jar), 'batch', '--fail-fast', ...configs);
}
