import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { copyProject } from '../../tools/check/projectCopy.ts';
import { storeProgram } from '../../tools/local/storeProgram.ts';
import { caller, launch } from '../support/httpService.ts';
import { endWithTest, startForTest } from '../support/localService.ts';
import { writeNpm } from '../support/programs.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const { root, remove } = copyProject();
afterAll(remove);

/** All packages except the embedded store, as after `npm ci` on other platforms. */
const installed = join(root, 'node_modules');
const all = dirname(dirname(createRequire(import.meta.url).resolve('serverless/package.json')));
rmSync(installed);
mkdirSync(installed);
for (const name of readdirSync(all).filter((each) => each !== '@dynoxide')) {
  symlinkSync(join(all, name), join(installed, name));
}

const npm = (name: string, code: string) => ({ npm_execpath: writeNpm(join(root, 'npm', name), code) });

/** Stands for npm, without a registry. */
const DELIVERING = `const { cpSync, writeFileSync } = require('node:fs');
if (process.argv[2] !== 'install') process.exit(1);
cpSync('${dirname(storeProgram())}', 'node_modules/@dynoxide/${PLATFORM}', { recursive: true });
writeFileSync('node_modules/.package-lock.json', '{}');`;
/** It leaves a part behind. */
const OFFLINE =
  "require('node:fs').mkdirSync('node_modules'); console.error('npm error code ENOTFOUND'); process.exitCode = 1;";

describe('npm start where npm ci has installed no embedded DynamoDB', () => {
  test('says that npm does not reach its registry, and what to do', async () => {
    const service = endWithTest(await launch({ root, env: npm('offline', OFFLINE) }));
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain(
      `There is no embedded DynamoDB for ${PLATFORM} here: npm could not fetch @dynoxide/${PLATFORM}@`,
    );
    expect(service.output()).toContain('npm said:\nnpm error code ENOTFOUND\n');
    expect(service.output()).not.toMatch(/^ +at /m);
  });

  test('fetches it once', async () => {
    const sentence = `Fetching the embedded DynamoDB for ${PLATFORM}. This is done once.\n`;
    const first = await startForTest({ env: npm('delivering', DELIVERING), root });
    expect(first.output()).toContain(sentence);
    expect((await caller(first.url)('POST', '/api/users', { json: { name: 'Ann' } })).status).toBe(201);
    await first.stop('SIGTERM');

    const second = await startForTest({ env: npm('offline', OFFLINE), root });
    expect(second.output()).not.toContain('Fetching');
    expect((await caller(second.url)('GET', '/api/users')).status).toBe(200);
  });
});
