import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PAGE_NAMES } from '../../admin/files.ts';
import { findPython, MissingPrerequisite } from '../../tools/check/prerequisites.ts';
import { people } from '../../tools/samples/people.ts';
import { caller } from '../support/httpService.ts';
import { AUDIENCE } from '../support/issuer.ts';
import { issuerForFile, serviceForFile } from '../support/localService.ts';
import { runProgram } from '../support/programs.ts';

const FOLDER = fileURLToPath(new URL('../support/schemathesis/', import.meta.url));

const INSTALLED = '.local/schemathesis';

const KEEP_OUT_OF_SOURCES = {
  HYPOTHESIS_STORAGE_DIRECTORY: resolve(INSTALLED, 'hypothesis'),
  PYTHONDONTWRITEBYTECODE: '1',
};

let python = '';
let lack: string | undefined;
try {
  // https://schemathesis.io makes requests from an OpenAPI document, and compares the responses with it.
  const user = 'The test of the service against its OpenAPI document';
  python = resolve(findPython(user, 'it is skipped', `${FOLDER}requirements.txt`, INSTALLED));
} catch (error) {
  if (!(error instanceof MissingPrerequisite)) throw error;
  lack = error.message;
}

/** A service with users, and a token for it. */
async function serviceWithToken() {
  const issuer = await issuerForFile();
  const service = await serviceForFile({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });
  const token = await issuer.sign({
    scope: 'users:read users:write users:audit',
    exp: Math.floor(Date.now() / 1_000) + 3_600,
  });
  const call = caller(service.url);
  const headers = { authorization: `Bearer ${token}` };
  const source = people(1);
  for (let n = 0; n < 45; n++) await call('POST', '/api/users', { json: source.next().value, headers });
  return [service.url, token];
}

const [url, token] = lack === undefined ? await serviceWithToken() : [];

test('the service does what its OpenAPI document says, for valid and for invalid requests', async (context) => {
  if (lack !== undefined) {
    process.stderr.write(`${lack}\n`);
    context.skip(lack);
  }
  const { code, stdout, stderr } = await runProgram(
    python,
    [
      ...['-m', 'schemathesis.cli', '--config-file', `${FOLDER}schemathesis.toml`],
      ...['run', `${url}/api/openapi.json`, '--no-color', '--header', `Authorization: Bearer ${token}`],
    ],
    { cwd: FOLDER, env: { ...process.env, ...KEEP_OUT_OF_SOURCES, ADMIN_FILE: PAGE_NAMES.style } },
  );
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('No issues found');
});
