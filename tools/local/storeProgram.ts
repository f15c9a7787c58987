/**
 * The program of the embedded DynamoDB. `npm ci` installs it on Linux x64. On other platforms it is fetched once, when a
 * service or the tests start for the first time, into `.local/dynoxide`: a folder for each version and platform, which is
 * there as a whole or not at all.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Npm } from './npm.ts';
import { removeLeftovers } from './workFolder.ts';

const LOCK = new URL('../../package-lock.json', import.meta.url);

const nameOf = (platform: string): string => `@dynoxide/${platform}`;

/** The platform whose package is locked. */
const LOCKED = 'linux-x64';

const OPTIONS = [
  'install',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
];

interface Settings {
  /** As Node names it, such as `darwin-arm64`. */
  platform: string;
  /** A file next to which `npm ci` installs packages. */
  beside: string;
  folder: string;
  npm?: Npm;
  say: (sentence: string) => void;
}

const DEFAULTS: Settings = {
  platform: `${process.platform}-${process.arch}`,
  beside: fileURLToPath(import.meta.url),
  folder: resolve('.local', 'dynoxide'),
  say: (sentence) => process.stderr.write(`${sentence}\n`),
};

const programIn = (folder: string, platform: string): string =>
  join(folder, platform.startsWith('win32') ? 'dynoxide.exe' : 'dynoxide');

function installed({ platform, beside }: Settings): string | undefined {
  try {
    return programIn(dirname(createRequire(beside).resolve(`${nameOf(platform)}/package.json`)), platform);
  } catch {
    return undefined;
  }
}

interface LockedPackage {
  version: string;
  /** What the package must contain. If it is not locked for a platform, npm knows only what its registry says. */
  integrity?: string;
}

/** All platforms get the same version. */
function lockedPackage(platform: string): LockedPackage {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(LOCK, 'utf8'));
  const entryOf = (each: string) => packages[`node_modules/${nameOf(each)}`];
  const version = entryOf(LOCKED)?.version;
  if (version === undefined) throw new Error(`${nameOf(LOCKED)} is missing in package-lock.json`);
  return { version, ...entryOf(platform) };
}

/** A project with nothing but this package, for npm to install. */
function writeProject(folder: string, name: string, { version, integrity }: LockedPackage): void {
  const root = { private: true, dependencies: { [name]: version } };
  const packages = { '': root, [`node_modules/${name}`]: { version, ...(integrity && { integrity }) } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
}

const adviceFor = (platform: string, reason: string): string =>
  `There is no embedded DynamoDB for ${platform} here: ${reason}. Two solutions: ` +
  `install one with "npm install --no-save ${nameOf(platform)}", if npm has it; or start any ` +
  'DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
  'AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.';

/** Another process may have moved the same package there meanwhile. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** @throws {Error} that says what to do when npm does not deliver it */
async function fetched(settings: Settings): Promise<string> {
  const { platform, folder, say } = settings;
  const locked = lockedPackage(platform);
  const name = nameOf(platform);
  const there = join(folder, `${locked.version}-${platform}`);
  if (existsSync(there)) return programIn(there, platform);

  // Most starts do without it.
  const { npm, whyItFailed } = await import('./npm.ts');
  const run = settings.npm ?? npm;
  say(`Fetching the embedded DynamoDB for ${platform}. This is done once.`);
  const all = join(folder, 'fetching');
  removeLeftovers(all);
  const own = join(all, String(process.pid));
  try {
    writeProject(own, name, locked);
    const { isWell, said } = await run(OPTIONS, own);
    if (!isWell) throw new Error(adviceFor(platform, whyItFailed(said)));
    const delivered = join(own, 'node_modules', name);
    if (!existsSync(programIn(delivered, platform))) throw new Error(adviceFor(platform, 'its package lacks it'));
    move(delivered, there);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return programIn(there, platform);
}

/**
 * The path of the program, which is fetched if it is nowhere.
 *
 * @throws {Error} that says what to do if there is none for the platform, or it cannot be fetched
 */
export async function storeProgram(given: Partial<Settings> = {}): Promise<string> {
  const settings = { ...DEFAULTS, ...given };
  return installed(settings) ?? (await fetched(settings));
}
