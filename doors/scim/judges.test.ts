import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, type TestContext, test } from 'vitest';
import { runProgram } from '../../tests/support/programs.ts';
import { doorForFile, TOKEN } from '../../tests/support/scim.ts';
import { findPython, MissingPrerequisite } from '../../tools/check/prerequisites.ts';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

let programs = '';
let lack: string | undefined;
try {
  programs = resolve(findPython('The test of SCIM by strangers', 'it is skipped', REQUIREMENTS, '.local/scim'), '..');
} catch (error) {
  if (!(error instanceof MissingPrerequisite)) throw error;
  lack = error.message;
}

const { url, scim } = lack === undefined ? await doorForFile({ SCIM_GROUPS: 'groups' }) : { url: '', scim: undefined };

async function run(context: TestContext, program: string, ...options: string[]) {
  if (lack !== undefined) context.skip(lack);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', SCIM_CLI_HEADERS: `Authorization: Bearer ${TOKEN}` };
  const { stdout, stderr } = await runProgram(resolve(programs, program), options, { env });
  return stdout + stderr;
}

/** With groups, a search of several types is none of this door's (501). */
const SKIPPED = /^SKIPPED search_with_attributes\n/;

/** One removal is refused on purpose. scim2-tester asks for it in every other run, as it gives `active` a value at random. */
const REFUSED = 'A user who is not active becomes so by "active": true, and not by its removal';

describe('programs that nobody here wrote', () => {
  // https://scim2-tester.readthedocs.io creates, changes and removes users and groups by each attribute that the schemas name.
  test('scim2-tester finds no fault', async (context) => {
    const said = await run(context, 'scim2', '--url', `${url}/scim/v2`, 'test', '--verbose');
    const results = said.match(/^[A-Z]+ \w+\n.*/gm) ?? [];
    const faults = results.filter((result) => !result.startsWith('SUCCESS'));
    expect(
      faults.filter((fault) => !fault.endsWith(`'active': ${REFUSED}`) && !SKIPPED.test(fault)),
      said,
    ).toEqual([]);
    expect(results.length).toBeGreaterThan(80);
  });

  // https://github.com/thomaselliottbetz/scim-sanity follows a user from its creation to its deletion.
  test('scim-sanity finds no fault', async (context) => {
    const options = ['--token', TOKEN, '--i-accept-side-effects', '--json-output'];
    const said = JSON.parse(await run(context, 'scim-sanity', 'probe', `${url}/scim/v2`, ...options));
    const faults = said.results.filter(({ status }: { status: string }) => !/^(?:pass|skip)$/i.test(status));
    // RFC 7644 (section 3.5.2) leaves the choice between 200 and 204, and Entra asks for 204. The member that is added is nobody.
    expect(faults.map(({ name, message }: Record<string, string>) => `${name}: ${message}`)).toEqual([
      'PATCH /Groups/{id}: Expected HTTP 200, got 204 (RFC 7644 §3.3); Response body is empty',
      'PATCH /Groups/{id} add member: Expected 200, got 400',
      'PATCH /Groups/{id} remove members: Expected 200, got 204',
    ]);
    // Those of agents, which this door does not have, are skipped.
    expect(said.summary).toMatchObject({ passed: 25, errors: 0, warnings: 0, skipped: 3 });
    expect((await scim?.('GET', '/Users?filter=userName sw "scim-sanity"'))?.body.totalResults).toBe(0);
  });
});
