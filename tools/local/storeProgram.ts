/**
 * The program of the embedded DynamoDB. `npm ci` installs it on Linux x64. On other platforms npm fetches it when a service starts
 * for the first time, in the same version, into a folder for each version and platform in `.local/dynoxide`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { optionalVariable } from '../../lib/runtime.ts';
import { runProgram } from '../runProgram.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@dynoxide/${PLATFORM}`;
const PROGRAM = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';

const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1'];

function installed(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), PROGRAM);
  } catch {
    return undefined;
  }
}

/** All platforms get the version that is locked for Linux x64. */
function lockedVersion(): string {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  return lock.packages['node_modules/@dynoxide/linux-x64'].version;
}

/** With the npm that started this process, or the one in the path: on Windows that is a script, which only a shell can run. */
function npm(folder: string): ReturnType<typeof runProgram> {
  const started = optionalVariable('npm_execpath') ?? '';
  return /npm-cli\.[cm]?js$/.test(started)
    ? runProgram(process.execPath, [started, ...INSTALL], { cwd: folder })
    : runProgram('npm', INSTALL, { cwd: folder, shell: process.platform === 'win32' });
}

/** npm writes this file last. */
const isWhole = (folder: string): boolean => existsSync(join(folder, 'node_modules', '.package-lock.json'));

/**
 * The path of the program, which is fetched if it is nowhere.
 *
 * @throws {Error} that says what to do if npm does not deliver it
 */
export function storeProgram(): string {
  const there = installed();
  if (there !== undefined) return there;
  const version = lockedVersion();
  const folder = resolve('.local', 'dynoxide', `${version}-${PLATFORM}`);
  if (!isWhole(folder)) {
    process.stderr.write(`Fetching the embedded DynamoDB for ${PLATFORM}. This is done once.\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { [PACKAGE]: version } }),
    );
    const { isWell, said } = npm(folder);
    if (!isWell)
      throw new Error(
        `There is no embedded DynamoDB for ${PLATFORM} here: npm could not fetch ${PACKAGE}@${version}. Install it, or start any ` +
          'DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
          `AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000. npm said:\n${said}`,
      );
  }
  return join(folder, 'node_modules', PACKAGE, PROGRAM);
}
