import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { askForAdoption } from '../../deploy/adoption.ts';
import { roleLogicalId } from '../../deploy/roles.ts';
import { missingForOpenSearch } from '../../local/openSearch/start.ts';
import { stackOf, versionIn } from '../../operate/stages.ts';
import { refusalsOf } from '../awsRules/rules.ts';
import { copyProject, copyShell } from '../projectCopy.ts';
import { callEveryRoute } from './calls.ts';
import { type DomainCall, startDomain } from './domain.ts';
import { failDoors, openDoors, refuseDoors, sendChanges } from './doors.ts';
import { type Ending, prepared, type Rehearsal, type Settings } from './rehearsal.ts';
import { CREDENTIALS } from './standIn.ts';
import { makeUserPool } from './userPool.ts';

const OPEN = { OIDC_ISSUER: 'none' };
/** The doors stay beside a stage that is removed, with what they keep. */
const OF_DOOR = /^user-management-prod-(?:scim-GroupsTable|webhook-Table)-/;

const TABLES = { users: 'user-management-prod-users', directory: 'user-management-prod-directory' };

const DOMAIN = 'users.example.com';
const CERTIFICATE = 'arn:aws:acm:eu-central-1:000000000000:certificate/1234abcd-12ab-34cd-56ef-1234567890ab';

/** The settings that prod is deployed with. */
const PROD = {
  DOMAIN_NAME: DOMAIN,
  PERMISSIONS_BOUNDARY: 'arn:aws:iam::000000000000:policy/user-management-boundary-prod',
};

/** How much of an output's end is shown: the reason is there. */
const SHOWN = 3_000;

export const expectWell = ({ isWell, said }: Ending) => ok(isWell, said.slice(-SHOWN));

export const expectRefusal = ({ isWell, said }: Ending, sentence: string) =>
  ok(!isWell && said.includes(sentence), `It must be refused with "${sentence}":\n${said.slice(-SHOWN)}`);

/** Deploys a stage, and expects that AWS would take its template over the one before. */
async function deploy({ account, serverless }: Rehearsal, options: string, settings: Settings, folder?: string) {
  const [stage = ''] = options.split(' ');
  const before = JSON.parse(await account.template(stage));
  expectWell(await serverless(`deploy --stage ${options}`, settings, folder));
  const after = JSON.parse(await account.template(stage));
  deepEqual(refusalsOf(after.Resources, before.Resources), []);
}

const expectProtected = async ({ account }: Rehearsal) =>
  deepEqual(await Promise.all(Object.values(TABLES).map(account.isProtected)), [true, true], 'Both must be protected');

/** A function as serverless.yml has it, and the route to it. */
const ROUTE = `  getAdminFile:
    handler: functions/getAdminFile.handler
    permissions: []
    events: [{ http: 'GET /api/admin/{file}' }]
`;

/** Takes from patchUser what it needs. */
export const LESS = ['permissions: [readUser, putUsers, takeEmails', 'permissions: [readUser, takeEmails'] as const;

/** How long a pool may be followed, in seconds. */
const FOLLOWED_S = 60;

/** Waits until the directory has these people of a pool. */
async function untilPeople({ account, token }: Rehearsal, subs: readonly string[], wanted: readonly string[]) {
  const query = `sort=name${subs.map((sub) => `&externalId=${sub}`).join('')}`;
  const headers = { authorization: `Bearer ${await token('users:read')}` };
  let names: string[] = [];
  for (let waited = 0; waited < FOLLOWED_S && names.join() !== wanted.join(); waited++) {
    await setTimeout(1_000);
    const response = await fetch(`${await account.addressOf('prod')}/api/users/all?${query}`, { headers });
    names = ((await response.json()) as { name: string }[]).map(({ name }) => name);
  }
  deepEqual(names, wanted);
}

/** Expects that functions that list may search the domain, that the fold may do all else that was done, and that others may do nothing there. */
async function expectPermitted({ account, owner }: Rehearsal, domain: string, calls: readonly DomainCall[]) {
  const roleOf = (name: string) => account.resource(stackOf('staging'), roleLogicalId(name));
  const [list, fold, other] = [await roleOf('listUsers'), await roleOf('fold'), await roleOf('getUser')];
  const refused: string[] = [];
  for (const [action, path] of calls) {
    const isSearch = /\/_search(\/|$)/.test(path);
    if (!(await owner.mayDo(isSearch ? list : fold, action, domain + path))) refused.push(`${action} ${path}`);
    equal(await owner.mayDo(other, action, domain + path), false, action);
  }
  deepEqual(refused, []);
  ok(calls.some(([action]) => action === 'es:ESHttpPut') && calls.some(([, path]) => path.endsWith('/_search')));
}

/** Makes a domain, copies the users, and deploys the stage with it. */
async function goToDomain(rehearsal: Rehearsal): Promise<void> {
  const missing = missingForOpenSearch();
  if (missing) return void process.stdout.write(`${missing} No stage goes to a domain.\n`);
  const { account, node, refusals, serverless } = rehearsal;
  const { Arn = '' } = await account.makeStack('tools/deploy/stacks/search.yml', { Stage: 'staging' });
  const { calls, stop, url } = await startDomain();
  const version = prepared(copyProject());
  try {
    expectWell(await node(`tools/operate/lists.ts --stage staging --to opensearch --url ${url}`));
    const copying = calls();
    const settings = { LISTS: 'opensearch', OPENSEARCH_URL: url, OPENSEARCH_ARN: Arn };
    await deploy(rehearsal, 'staging', settings, version.root);
    expectWell(await serverless('invoke --stage staging --function fold --data {}'));
    const wrong = await callEveryRoute(rehearsal, 'staging');
    match((await node('tools/operate/lists.ts --stage staging')).said, /Lists come from an index/);
    deepEqual([...refusals(), ...wrong], []);
    await expectPermitted(rehearsal, Arn, [...copying, ...calls()]);
  } finally {
    version.remove();
    await stop();
  }
}

/** Each step continues where the one before has ended. */
export const STEPS: Record<string, (rehearsal: Rehearsal) => Promise<void>> = {
  'dev is deployed, once more without a route and events, where doors ask for a bus, and removed with its tables':
    async (rehearsal) => {
      const { account, serverless } = rehearsal;
      await deploy(rehearsal, 'dev', OPEN);
      const version = prepared(copyShell());
      version.replace('serverless.yml', ROUTE, '');
      version.replace('serverless.yml', 'events: true', 'events: false');
      await deploy(rehearsal, 'dev', OPEN, version.root).finally(version.remove);
      await refuseDoors(rehearsal, 'dev');
      expectWell(await serverless('remove --stage dev', OPEN));
      deepEqual(await account.tables(), []);
    },
  'prod is refused until API Gateway has a role for logs': async ({ account, serverless }) => {
    const refused = await serverless('deploy --stage prod', PROD);
    expectRefusal(refused, 'API Gateway has no role for logs in region eu-central-1 of this account');
    deepEqual(JSON.parse(await account.template('prod')).Resources, {});
    await account.makeStack('tools/deploy/stacks/account.yml');
  },
  'staging is deployed, and every route answers': async (rehearsal) => {
    const { refusals, serverless } = rehearsal;
    const version = prepared(copyProject());
    await deploy(rehearsal, 'staging', {}, version.root).finally(version.remove);
    // A schedule does it within a minute. Until then lists are 503.
    expectWell(await serverless('invoke --stage staging --function fold --data {}'));
    const wrong = await callEveryRoute(rehearsal, 'staging');
    deepEqual([...refusals(), ...wrong], []);
  },
  'staging goes from the replica to a domain, and every route answers': goToDomain,
  'staging is removed with its tables': async ({ account, serverless }) => {
    expectWell(await serverless('remove --stage staging', {}));
    deepEqual(await account.tables(), []);
  },
  'prod is deployed by the role for deployments, and its tables are protected': async (rehearsal) => {
    const { account, assume } = rehearsal;
    await account.makeStack('tools/deploy/stacks/domain.yml', { Name: DOMAIN, Certificate: CERTIFICATE });
    const parameters = { Stage: 'prod', Repository: 'owner/name', Domain: DOMAIN };
    const { RoleArn = '' } = await account.makeStack('tools/deploy/stacks/deploy-role.yml', parameters);
    await assume(RoleArn, 'repo:owner/name:environment:prod');
    const version = prepared(copyProject());
    await deploy(rehearsal, 'prod', PROD, version.root).finally(version.remove);
    await expectProtected(rehearsal);
  },
  'functions may do what they need, and callers what their tokens allow': async (rehearsal) => {
    const { refusals, serverless } = rehearsal;
    const invoke = (name: string) =>
      serverless(`invoke --stage prod --function ${name} --data {}`, { ...PROD, ...CREDENTIALS });
    expectWell(await invoke('fold'));
    const wrong = await callEveryRoute(rehearsal, 'prod');
    for (const ending of await Promise.all(['fold', 'sendEvents'].map(invoke))) expectWell(ending);
    // A fold of the stage that was removed may still run, without its role.
    const refused = refusals().filter((refusal) => !refusal.startsWith('user-management-staging-fold '));
    deepEqual([...refused, ...wrong], []);
  },
  'a door that is not deployed says why, and leaves nothing': failDoors,
  'a user pool is followed, by its events and by a trigger': async (rehearsal) => {
    const { account, endpoint, issuer, node, refusals } = rehearsal;
    const pool = await makeUserPool(endpoint);
    const client = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'follower', OIDC_CLIENT_SECRET: 'secret' };
    const url = await account.addressOf('prod');
    const door = `tools/doors/door.ts follow --deploy --stage prod --set Pool=${pool.id} --url ${url}`;
    const ending = await node(door, { ...client, ...CREDENTIALS });
    expectWell(ending);
    const [, trigger = ''] = /The function for triggers of the pool: (\S+)/.exec(ending.said) ?? [];
    const [ann, bea] = [await pool.create('Ann'), await pool.create('Bea')];
    await pool.tell('AdminCreateUser', ann);
    await pool.trigger(trigger, bea);
    await untilPeople(rehearsal, [ann, bea], ['Ann', 'Bea']);
    await pool.remove('Ann');
    await pool.tell('AdminDeleteUser', ann);
    await untilPeople(rehearsal, [ann, bea], ['Bea']);
    deepEqual(refusals(), []);
  },
  'doors are deployed beside it, and open': (rehearsal) =>
    openDoors(rehearsal, 'prod', {
      ...{ OIDC_ISSUER: rehearsal.issuer, OIDC_CLIENT_ID: 'door', OIDC_CLIENT_SECRET: 'secret' },
      ...CREDENTIALS,
    }),
  'a webhook is deployed beside it, and sends a change with its signature': (rehearsal) =>
    sendChanges(rehearsal, 'prod', {
      ...{ OIDC_ISSUER: rehearsal.issuer, OIDC_CLIENT_ID: 'door', OIDC_CLIENT_SECRET: 'secret' },
      ...CREDENTIALS,
    }),
  'a version that lacks a permission fails the smoke test, and is rolled back': async (rehearsal) => {
    const { account, node, refusals, token } = rehearsal;
    const version = prepared(copyProject());
    version.replace('serverless.yml', ...LESS);
    const before = versionIn(await account.template('prod'));
    const program = `tools/operate/deploy.ts --stage prod --url ${await account.addressOf('prod')}`;
    const settings = { ...PROD, TOKEN: await token('users:read', 'users:write', 'users:audit') };
    const ending = await node(program, settings, version.root).finally(version.remove);
    expectRefusal(ending, `and was rolled back. It runs the version of ${before} again, which passes the test.`);
    equal(versionIn(await account.template('prod')), before);
    const table = `arn:aws:dynamodb:eu-central-1:000000000000:table/${TABLES.users}`;
    deepEqual(refusals(), [`user-management-prod-patchUser dynamodb:PutItem ${table}`]);
    await expectProtected(rehearsal);
  },
  'prod is removed, its tables stay, and only --adopt uses them again': async (rehearsal) => {
    const { account, refusals, serverless } = rehearsal;
    expectWell(await serverless('remove --stage prod', PROD));
    const ofStage = (await account.tables()).filter((name) => !OF_DOOR.test(name));
    deepEqual(ofStage, [TABLES.directory, TABLES.users]);
    expectRefusal(await serverless('deploy --stage prod', PROD), askForAdoption(TABLES, 'prod'));
    await deploy(rehearsal, 'prod --adopt', PROD);
    await deploy(rehearsal, 'prod --force', PROD);
    const version = versionIn(await account.template('prod'));
    await deploy(rehearsal, 'prod --force', PROD);
    equal(versionIn(await account.template('prod')), version, 'Nothing has changed');
    await deploy(rehearsal, 'prod --force --resend', PROD);
    notEqual(versionIn(await account.template('prod')), version);
    await expectProtected(rehearsal);
    // The framework would remove images of functions, too, and does without. A function that still runs loses its role.
    const deployer = refusals().filter((refusal) => refusal.startsWith('deployment '));
    deepEqual(deployer, ['deployment ecr:DescribeRepositories *']);
  },
};
