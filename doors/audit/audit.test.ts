import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { readTemplate } from '../../tests/support/cloudFormation.ts';
import { caller } from '../../tests/support/httpService.ts';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, startForTest } from '../../tests/support/localService.ts';
import { runProgram, temporaryFolder } from '../../tests/support/programs.ts';
import { findPython, MissingPrerequisite } from '../../tools/check/prerequisites.ts';
import { isEmbedded } from '../../tools/local/localStore.ts';

/** The queries of doors/audit/template.yml, which sqlglot reads as Athena's and DuckDB answers, of the events of the local service. */
const { Resources } = readTemplate('doors/audit/template.yml');

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const folder = temporaryFolder();
const events = join(folder, 'events.ndjson');
const issuer = await issuerForFile();

let python = '';
let lack: string | undefined;
try {
  python = findPython('The test of queries', 'it is skipped', here('requirements.txt'), '.local/audit');
} catch (error) {
  if (!(error instanceof MissingPrerequisite)) throw error;
  lack = error.message;
}

const linesOf = () => (existsSync(events) ? readFileSync(events, 'utf8').trimEnd().split('\n') : []);

async function answerOf(context: TestContext, sql: string, day: string): Promise<unknown> {
  if (lack !== undefined) context.skip(lack);
  // Twice: an event may come again.
  const file = join(folder, 'changes.ndjson');
  writeFileSync(file, [...linesOf(), ...linesOf()].map((line) => `${line}\n`).join(''));
  const { stdout, stderr } = await runProgram(python, [here('judge.py'), file], {
    input: JSON.stringify({ sql, day }),
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test.runIf(isEmbedded())(
  'the changes of a user, and the writers of a day, are found in the lines that are kept',
  async (context) => {
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, EVENTS_FILE: events, JOURNAL_REST_MS: '0' };
    const service = await startForTest({ env });
    const as = async (sub: string, method: string, path: string, json?: object) => {
      const authorization = `Bearer ${await issuer.sign({ sub, scope: 'users:read users:write' })}`;
      return caller(service.url)(method, path, { ...(json && { json }), headers: { authorization } });
    };
    // Characters that other readers break lines at, or take for the end of a column.
    const ann = { name: 'Ann\u2028 "Lee", Kim', attributes: { tags: ['a', 'b'], seen: '2026-11-01' } };
    const { body } = await as('okta', 'POST', '/api/users', ann);
    const { id, createdAt } = body as { id: number; createdAt: string };
    await as('bea', 'PATCH', `/api/users/${id}`, { status: 'left' });
    await as('bea', 'DELETE', `/api/users/${id}`);
    await as('bea', 'POST', '/api/users', { name: 'Cid' });
    await expect.poll(linesOf).toHaveLength(4);

    const queryOf = (name: string): string => Resources[name].Properties.QueryString;
    const ofUser = queryOf('OfUser').replace("'890301895272553'", `'${id}'`);
    const rows = (await answerOf(context, ofUser, '2026-11-28')) as { user_then: string; moment: string }[];
    const told = rows.map(({ user_then, moment, ...row }) => ({
      ...row,
      moment: typeof moment,
      user: JSON.parse(user_then),
    }));
    const user = expect.objectContaining({ id, createdAt, ...ann });
    const left = expect.objectContaining({ ...ann, status: 'left' });
    expect(told).toEqual([
      { version: 1, moment: 'string', type: 'created', who: 'okta', user },
      { version: 2, moment: 'string', type: 'updated', who: 'bea', user: left },
      { version: 3, moment: 'string', type: 'deleted', who: 'bea', user: left },
    ]);
    expect(await answerOf(context, ofUser, '2026-12-01')).toEqual([]);

    const writers = (await answerOf(context, queryOf('OfWriters'), '2026-11-28')) as object[];
    const day = '2026-11-28';
    expect(writers).toHaveLength(4);
    expect(writers).toEqual(
      expect.arrayContaining([
        { day, who: 'okta', type: 'created', changes: 1 },
        { day, who: 'bea', type: 'created', changes: 1 },
        { day, who: 'bea', type: 'updated', changes: 1 },
        { day, who: 'bea', type: 'deleted', changes: 1 },
      ]),
    );
  },
);

test('only the bucket with the lock is asked, and the day of its files is where the table looks for it', () => {
  const { Prefix } = Resources.Delivery.Properties.ExtendedS3DestinationConfiguration;
  const { Parameters } = Resources.Table.Properties.TableInput;
  const [, folderOfDay, format] = /^(\w+\/)!\{timestamp:(.*)\}\/$/.exec(Prefix) ?? [];
  expect(Parameters['projection.day.format']).toBe(format);
  expect(Parameters['storage.location.template']).toEqual({ 'Fn::Sub': `s3://\${Archive}/${folderOfDay}\${!day}/` });
  const [rule] = Resources.Landing.Properties.ReplicationConfiguration.Rules;
  expect(rule.Filter.Prefix).toBe(folderOfDay);
});
