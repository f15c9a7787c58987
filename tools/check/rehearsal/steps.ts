import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { askForAdoption } from '../../deploy/adoption.ts';
import { versionIn } from '../../operate/stages.ts';
import { refusalsOf } from '../awsRules/rules.ts';
import { copyShell, type ProjectCopy } from '../projectCopy.ts';
import type { Ending, Rehearsal } from './rehearsal.ts';

interface Step {
  title: string;
  run(rehearsal: Rehearsal): Promise<void>;
}

const OPEN = { OIDC_ISSUER: 'none' };
const DOMAIN = { DOMAIN_NAME: 'users.example.com' };
const PROD = { users: 'user-management-prod-users', directory: 'user-management-prod-directory' };

/** How much of an output's end is shown: the reason is there. */
const SHOWN = 3_000;

/** @param sentence what it must say */
function expectEnding({ isWell, said }: Ending, mustBeWell: boolean, sentence: string | RegExp): void {
  const isSaid = typeof sentence === 'string' ? said.includes(sentence) : sentence.test(said);
  if (isWell === mustBeWell && isSaid) return;
  throw new Error(`It ${isWell ? 'went well' : 'failed'}; it must say "${sentence}":\n${said.slice(-SHOWN)}`);
}

const expectWell = (ending: Ending, sentence: string | RegExp = '') => expectEnding(ending, true, sentence);
const expectRefusal = (ending: Ending, sentence: string | RegExp) => expectEnding(ending, false, sentence);

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

/** Deploys a stage, and expects that AWS would take its template over the one before. */
async function deploy(
  { serverless, template }: Rehearsal,
  options: string,
  settings: Record<string, string>,
  folder?: string,
): Promise<void> {
  const [stage = ''] = options.split(' ');
  const before = JSON.parse(await template(stage));
  expectWell(await serverless(`deploy --stage ${options}`, settings, folder));
  const after = JSON.parse(await template(stage));
  expectEqual(refusalsOf(after.Resources, before.Resources), [], 'what AWS refuses');
}

/** A copy of the project with one text replaced. */
function changed(file: string, text: string, by: string): ProjectCopy {
  const copy = copyShell();
  copy.replace(file, text, by);
  return copy;
}

const expectProtected = async ({ isProtected }: Rehearsal) =>
  expectEqual(await Promise.all(Object.values(PROD).map(isProtected)), [true, true], 'protection of the tables');

/** The user that was created. */
let id = 0;

/** Each step continues where the one before has ended. */
export const STEPS: readonly Step[] = [
  {
    title: 'dev is deployed, and prints its URL',
    async run(rehearsal) {
      await deploy(rehearsal, 'dev', OPEN);
      expectWell(await rehearsal.serverless('info --stage dev', OPEN), /GET - https:\S+\/dev\/api\/users\n/);
    },
  },
  {
    title: 'a later deployment of dev removes a route, and points the stage to the new routes',
    async run(rehearsal) {
      const before = await rehearsal.snapshot('dev');
      const { root, remove } = changed('serverless.yml', '  getAdminFile:', '  # getAdminFile:');
      await deploy(rehearsal, 'dev', OPEN, root).finally(remove);
      expectEqual((await rehearsal.snapshot('dev')) === before, false, 'whether the snapshot is the first one');
    },
  },
  {
    title: 'dev is removed with its tables',
    async run({ serverless, tables }) {
      expectWell(await serverless('remove --stage dev', OPEN));
      expectEqual(await tables(), [], 'tables left');
    },
  },
  {
    title: 'prod is deployed, and its tables are protected',
    async run(rehearsal) {
      await deploy(rehearsal, 'prod', DOMAIN);
      await expectProtected(rehearsal);
      ({ id } = await rehearsal.users(PROD).create({ name: 'Ann' }));
    },
  },
  {
    title: 'a version of prod that fails the smoke test is rolled back',
    async run(rehearsal) {
      const version = async () => versionIn(await rehearsal.template('prod'));
      const before = await version();
      const bad = createServer((_, response) => response.writeHead(500).end());
      await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`;
      const settings = { ...DOMAIN, CORS_ORIGINS: 'https://bad.example.com', TOKEN: 'rehearsal' };
      const ending = await rehearsal.node(`tools/operate/deploy.ts --stage prod --url ${url}`, settings);
      bad.close();
      expectRefusal(ending, `It runs the version of ${before} again, which fails it, too.`);
      expectEqual(await version(), before, 'version');
      await expectProtected(rehearsal);
    },
  },
  {
    title: 'prod is removed, its tables stay, and only --adopt uses them again, with their users',
    async run(rehearsal) {
      const { serverless, tables, users } = rehearsal;
      expectWell(await serverless('remove --stage prod', DOMAIN));
      expectEqual(await tables(), [PROD.directory, PROD.users], 'tables');
      expectRefusal(await serverless('deploy --stage prod', DOMAIN), askForAdoption(PROD, 'prod'));
      await deploy(rehearsal, 'prod --adopt', DOMAIN);
      expectEqual((await users(PROD).get(id)).name, 'Ann', 'name');
      await deploy(rehearsal, 'prod --force', DOMAIN);
      await expectProtected(rehearsal);
    },
  },
];
