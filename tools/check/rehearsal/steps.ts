import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { UserPage } from '../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import { askForAdoption } from '../../deploy/adoption.ts';
import { faultsAlarm } from '../../deploy/monitoring.ts';
import { stackOf } from '../../operate/stages.ts';
import { copyShell } from '../projectCopy.ts';
import type { Outcome, Rehearsal } from './run.ts';

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
function expectOutcome({ isWell, said }: Outcome, mustBeWell: boolean, sentence: string | RegExp): void {
  const isSaid = typeof sentence === 'string' ? said.includes(sentence) : sentence.test(said);
  if (isWell === mustBeWell && isSaid) return;
  throw new Error(`It ${isWell ? 'went well' : 'failed'}; it must say "${sentence}":\n${said.slice(-SHOWN)}`);
}

const expectWell = (outcome: Outcome, sentence: string | RegExp = '') => expectOutcome(outcome, true, sentence);
const expectRefusal = (outcome: Outcome, sentence: string | RegExp) => expectOutcome(outcome, false, sentence);

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

/** Deploys from a copy of the project with one text replaced. */
async function deployChanged(rehearsal: Rehearsal, file: string, text: string, by: string): Promise<Outcome> {
  const { root, replace, remove } = copyShell();
  replace(file, text, by);
  return rehearsal.serverless('deploy --stage dev', OPEN, root).finally(remove);
}

const expectProtected = async ({ isProtected }: Rehearsal) =>
  expectEqual(await Promise.all(Object.values(PROD).map(isProtected)), [true, true], 'protection of the tables');

const stateOf = async ({ version, snapshot }: Rehearsal) => [await version('prod'), await snapshot('prod')];

async function userIds({ service }: Rehearsal): Promise<number[]> {
  const query = { filters: {}, keyword: undefined, order: totalOrder([]), number: 0, size: 10 };
  const page = (await service(PROD).listing.page(query)) as UserPage;
  return page.users.map(({ id }) => id);
}

/** The users that were created. */
let ids: number[] = [];

/** Each step continues where the one before has ended. */
export const STEPS: readonly Step[] = [
  {
    title: 'dev is deployed, and prints its URL',
    async run({ serverless }) {
      expectWell(await serverless('deploy --stage dev', OPEN));
      expectWell(await serverless('info --stage dev', OPEN), /GET - https:\S+\/dev\/api\/users\n/);
    },
  },
  {
    title: 'a change of dev that AWS refuses changes nothing',
    async run(rehearsal) {
      const before = await rehearsal.version('dev');
      expectRefusal(
        await deployChanged(rehearsal, 'lib/users/tables.yml', 'KEYS_ONLY', 'NEW_IMAGE'),
        'does not change while there is a stream',
      );
      expectEqual(await rehearsal.version('dev'), before, 'version');
    },
  },
  {
    // The stand-in refuses a deployment that leaves a route to a function that is gone.
    title: 'a second deployment of dev removes a route, and points the stage to the new routes',
    async run(rehearsal) {
      const before = await rehearsal.snapshot('dev');
      expectWell(await deployChanged(rehearsal, 'serverless.yml', '  getAdminFile:', '  # getAdminFile:'));
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
    title: 'a failed first deployment of prod deletes its tables; the next one protects them',
    async run(rehearsal) {
      rehearsal.breakResources(['ApiGatewayRestApi']);
      expectRefusal(await rehearsal.serverless('deploy --stage prod'), 'ApiGatewayRestApi');
      rehearsal.breakResources([]);
      expectEqual(await rehearsal.tables(), [], 'tables left');
      expectWell(await rehearsal.serverless('deploy --stage prod', DOMAIN));
      await expectProtected(rehearsal);
      const { users } = rehearsal.service(PROD);
      ids = (await users.createMany([{ name: 'Ann' }, { name: 'Bea' }])).map(({ id }) => id).toSorted((a, b) => a - b);
    },
  },
  {
    title: 'faults during the second deployment of prod roll it back, with its routes, and its tables stay protected',
    async run(rehearsal) {
      const before = await stateOf(rehearsal);
      rehearsal.breakResources(['FaultsAlarm']);
      const outcome = await rehearsal.serverless('deploy --stage prod --force', DOMAIN);
      rehearsal.breakResources([]);
      expectRefusal(outcome, `:alarm:${faultsAlarm(stackOf('prod'))} went off`);
      expectEqual(await stateOf(rehearsal), before, 'version and snapshot');
      await expectProtected(rehearsal);
    },
  },
  {
    title: 'a version of prod that fails the smoke test is rolled back, even while the alarm of faults is on',
    async run(rehearsal) {
      const before = await rehearsal.version('prod');
      const bad = createServer((_, response) => {
        rehearsal.breakResources(['FaultsAlarm']);
        response.writeHead(500).end();
      });
      await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`;
      const settings = { ...DOMAIN, CORS_ORIGINS: 'https://bad.example.com', TOKEN: 'rehearsal' };
      const outcome = await rehearsal.node(`tools/operate/deploy.ts --stage prod --url ${url}`, settings);
      bad.close();
      rehearsal.breakResources([]);
      expectRefusal(outcome, `It runs the version of ${before} again, which fails it, too.`);
      expectEqual(await rehearsal.version('prod'), before, 'version');
      await expectProtected(rehearsal);
    },
  },
  {
    title: 'prod is removed, its tables stay, and only --adopt uses them again, with all users',
    async run(rehearsal) {
      const { serverless, tables } = rehearsal;
      expectWell(await serverless('remove --stage prod', DOMAIN));
      expectEqual(await tables(), [PROD.directory, PROD.users], 'tables');
      expectRefusal(await serverless('deploy --stage prod', DOMAIN), askForAdoption(PROD, 'prod'));
      expectWell(await serverless('deploy --stage prod --adopt', DOMAIN));
      expectEqual(await userIds(rehearsal), ids, 'ids');
      expectWell(await serverless('deploy --stage prod --force', DOMAIN));
      await expectProtected(rehearsal);
    },
  },
];
