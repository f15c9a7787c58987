import { deepEqual, equal, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { askForAdoption } from '../../deploy/adoption.ts';
import { versionIn } from '../../operate/stages.ts';
import { refusalsOf } from '../awsRules/rules.ts';
import { copyShell } from '../projectCopy.ts';
import type { Ending, Rehearsal, Settings } from './rehearsal.ts';

const OPEN = { OIDC_ISSUER: 'none' };
const DOMAIN = { DOMAIN_NAME: 'users.example.com' };
const PROD = { users: 'user-management-prod-users', directory: 'user-management-prod-directory' };

/** How much of an output's end is shown: the reason is there. */
const SHOWN = 3_000;

const expectWell = ({ isWell, said }: Ending) => ok(isWell, said.slice(-SHOWN));

const expectRefusal = ({ isWell, said }: Ending, sentence: string) =>
  ok(!isWell && said.includes(sentence), `It must be refused with "${sentence}":\n${said.slice(-SHOWN)}`);

/** Deploys a stage, and expects that AWS would take its template over the one before. */
async function deploy({ serverless, template }: Rehearsal, options: string, settings: Settings, folder?: string) {
  const [stage = ''] = options.split(' ');
  const before = JSON.parse(await template(stage));
  expectWell(await serverless(`deploy --stage ${options}`, settings, folder));
  const after = JSON.parse(await template(stage));
  deepEqual(refusalsOf(after.Resources, before.Resources), []);
}

const expectProtected = async ({ isProtected }: Rehearsal) =>
  deepEqual(await Promise.all(Object.values(PROD).map(isProtected)), [true, true], 'A table is not protected');

/** Each step continues where the one before has ended. */
export const STEPS: Record<string, (rehearsal: Rehearsal) => Promise<void>> = {
  'dev is deployed, and once more without a route': async (rehearsal) => {
    await deploy(rehearsal, 'dev', OPEN);
    const version = copyShell();
    version.replace('serverless.yml', '  getAdminFile:', '  # getAdminFile:');
    await deploy(rehearsal, 'dev', OPEN, version.root).finally(version.remove);
  },
  'dev is removed with its tables': async ({ serverless, tables }) => {
    expectWell(await serverless('remove --stage dev', OPEN));
    deepEqual(await tables(), []);
  },
  'staging is refused until API Gateway has a role for logs, and is deployed then': async (rehearsal) => {
    const refused = await rehearsal.serverless('deploy --stage staging');
    expectRefusal(refused, 'API Gateway has no role for logs in region eu-central-1 of this account');
    deepEqual(JSON.parse(await rehearsal.template('staging')).Resources, {});
    await rehearsal.giveRoleForLogs();
    await deploy(rehearsal, 'staging', {});
    expectWell(await rehearsal.serverless('remove --stage staging'));
  },
  'prod is deployed, and its tables are protected': async (rehearsal) => {
    await deploy(rehearsal, 'prod', DOMAIN);
    await expectProtected(rehearsal);
  },
  'a version of prod that fails the smoke test is rolled back': async (rehearsal) => {
    const version = async () => versionIn(await rehearsal.template('prod'));
    const before = await version();
    const bad = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`;
    const settings = { ...DOMAIN, CORS_ORIGINS: 'https://bad.example.com', TOKEN: 'rehearsal' };
    const ending = await rehearsal.node(`tools/operate/deploy.ts --stage prod --url ${url}`, settings);
    bad.close();
    expectRefusal(ending, `It runs the version of ${before} again, which fails it, too.`);
    equal(await version(), before);
    await expectProtected(rehearsal);
  },
  'prod is removed, its tables stay, and only --adopt uses them again': async (rehearsal) => {
    const { serverless, tables } = rehearsal;
    expectWell(await serverless('remove --stage prod', DOMAIN));
    deepEqual(await tables(), [PROD.directory, PROD.users]);
    expectRefusal(await serverless('deploy --stage prod', DOMAIN), askForAdoption(PROD, 'prod'));
    await deploy(rehearsal, 'prod --adopt', DOMAIN);
    await deploy(rehearsal, 'prod --force', DOMAIN);
    await expectProtected(rehearsal);
  },
};
