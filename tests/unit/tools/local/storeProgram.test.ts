import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Npm } from '../../../../tools/local/npm.ts';
import { storeProgram } from '../../../../tools/local/storeProgram.ts';

const LOCK = JSON.parse(readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'));
const LOCKED = LOCK.packages['node_modules/@dynoxide/linux-x64'];

let folder = '';
let said: string[] = [];

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'program-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  folder = join(made, 'dynoxide');
  said = [];
});

const get = (platform: string, npm: Npm) =>
  storeProgram({ platform, npm, folder, beside: join(folder, 'none.js'), say: (sentence) => said.push(sentence) });

/** Installs a package with one file, as npm does. */
function install(project: string, platform: string, file: string): void {
  const delivered = join(project, 'node_modules', '@dynoxide', platform);
  mkdirSync(delivered, { recursive: true });
  writeFileSync(join(delivered, file), file === 'package.json' ? '{}' : 'program');
}

const installing =
  (platform: string, file = 'dynoxide'): Npm =>
  async (_, project) => {
    install(project, platform, file);
    return { isWell: true, said: 'added 1 package' };
  };

const failing =
  (output: string): Npm =>
  async () => ({ isWell: false, said: output });

const never: Npm = async () => {
  throw new Error('npm was run');
};

/** What was fetched completely. */
const there = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'fetching') : []);
const unfinished = () => readdirSync(join(folder, 'fetching'));

describe('the program of the embedded DynamoDB', () => {
  test.each([
    ['darwin-arm64', 'dynoxide'],
    ['linux-arm64', 'dynoxide'],
    ['win32-x64', 'dynoxide.exe'],
  ])('is fetched once for %s, in the version of the lock file', async (platform, file) => {
    const program = await get(platform, installing(platform, file));
    expect(program).toBe(join(folder, `${LOCKED.version}-${platform}`, file));
    expect(readFileSync(program, 'utf8')).toBe('program');
    expect(unfinished()).toEqual([]);
    expect(await get(platform, never)).toBe(program);
    expect(said).toEqual([`Fetching the embedded DynamoDB for ${platform}. This is done once.`]);
  });

  test.each([
    ['linux-x64', { integrity: LOCKED.integrity }],
    ['darwin-x64', {}],
  ])('is requested from npm for %s by its version, and by its hash if that is locked: %j', async (platform, hash) => {
    const { version } = LOCKED;
    const name = `@dynoxide/${platform}`;
    const dependencies = { [name]: version };
    await get(platform, async (options, project) => {
      const read = (file: string) => JSON.parse(readFileSync(join(project, file), 'utf8'));
      expect([options[0], read('package.json').dependencies]).toEqual(['install', dependencies]);
      const root = { private: true, dependencies };
      expect(read('package-lock.json').packages).toEqual({ '': root, [`node_modules/${name}`]: { version, ...hash } });
      return installing(platform)(options, project);
    });
    expect(LOCKED.integrity).toMatch(/^sha512-/);
  });

  test('is never half there: what npm left behind is removed, and the next start fetches again', async () => {
    const breaking: Npm = async (options, project) => {
      await installing('darwin-arm64')(options, project);
      return { isWell: false, said: 'npm error code ECONNRESET' };
    };
    await expect(get('darwin-arm64', breaking)).rejects.toThrow('npm does not reach its registry (ECONNRESET)');
    expect([there(), unfinished()]).toEqual([[], []]);
    // As a killed process leaves it.
    install(join(folder, 'fetching', '99999999'), 'darwin-arm64', 'dynoxide');
    await get('darwin-arm64', installing('darwin-arm64'));
    expect([there(), unfinished()]).toEqual([[`${LOCKED.version}-darwin-arm64`], []]);
    expect(said).toHaveLength(2);
  });

  test('may be fetched by two processes at once', async () => {
    const place = join(folder, `${LOCKED.version}-darwin-arm64`);
    const late: Npm = async (options, project) => {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'dynoxide'), 'of the other');
      return installing('darwin-arm64')(options, project);
    };
    expect(readFileSync(await get('darwin-arm64', late), 'utf8')).toBe('of the other');
  });
});

describe('without a program, a start says why and what to do', () => {
  test.each([
    ['npm error code E404\nnpm error 404 Not Found', "npm's registry has none (E404)"],
    ['npm warn x\nnpm error code ENOTFOUND\nnpm error network', 'npm does not reach its registry (ENOTFOUND)'],
    ['npm ERR! code EAI_AGAIN', 'npm does not reach its registry (EAI_AGAIN)'],
    ['npm error code EINTEGRITY', "the one of npm's registry is not the one that is locked (EINTEGRITY)"],
    ['npm error code EACCES', 'npm could not fetch it (EACCES)'],
    ['spawn npm ENOENT\nmore', 'npm did not end well: spawn npm ENOENT'],
  ])('after %j', async (output, reason) => {
    await expect(get('plan9-vax', failing(output))).rejects.toThrow(
      `There is no embedded DynamoDB for plan9-vax here: ${reason}. Two solutions: ` +
        'install one with "npm install --no-save @dynoxide/plan9-vax", if npm has it; or start any ' +
        'DynamoDB-compatible server, such as "docker run -p 8000:8000 amazon/dynamodb-local", and set ' +
        'AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000.',
    );
    expect(there()).toEqual([]);
  });
});
