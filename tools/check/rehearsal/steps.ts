import {
  DeleteItemCommand,
  DescribeTableCommand,
  ListTablesCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../../lib/users/database.ts';
import { noStatistics } from '../../../lib/users/journal/newStage.ts';
import type { UserPage } from '../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../lib/users/listing/order.ts';
import { askForAdoption } from '../../deploy/adoption.ts';
import { copyProject, copyShell } from '../projectCopy.ts';
import { eventsArrive } from './events.ts';
import { expectEqual, expectRefusal, expectWell } from './expectations.ts';
import { failedTestTakesBack, faultsTakeBack, passedTestStays } from './goBack.ts';
import { laterField } from './laterField.ts';
import type { Rehearsal } from './run.ts';

interface Step {
  title: string;
  run(rehearsal: Rehearsal): Promise<void>;
}

const tablesOf = (stage: string): TableNames => ({
  users: `user-management-${stage}-users`,
  directory: `user-management-${stage}-directory`,
});

const DEV = tablesOf('dev');
const PROD = tablesOf('prod');
const RESTORED = { users: `${PROD.users}-restored`, directory: `${PROD.directory}-restored` };
const FROM_RESTORED = { USERS_TABLE: RESTORED.users, DIRECTORY_TABLE: RESTORED.directory };

const OPEN = { OIDC_ISSUER: 'none' };
const DOMAIN = { DOMAIN_NAME: 'users.example.com' };

/** Enough for several pages of a listing. */
const USERS = 60;

const tableNames = async ({ dynamo }: Rehearsal): Promise<string[]> =>
  (await dynamo.send(new ListTablesCommand({}))).TableNames?.toSorted() ?? [];

const describe = async ({ dynamo }: Rehearsal, TableName: string) =>
  (await dynamo.send(new DescribeTableCommand({ TableName }))).Table;

const protections = (rehearsal: Rehearsal) =>
  Promise.all(
    Object.values(PROD).map(async (name) => (await describe(rehearsal, name))?.DeletionProtectionEnabled ?? false),
  );

async function emptyTable({ dynamo }: Rehearsal, TableName: string): Promise<void> {
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName }));
  for (const { pk, sk } of Items)
    if (pk && sk) await dynamo.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
}

async function idsOf(rehearsal: Rehearsal, tables: TableNames): Promise<number[]> {
  const query = { filters: {}, keyword: undefined, order: totalOrder([]), number: 0, size: USERS * 2 };
  const page = (await rehearsal.service(tables).listing.page(query)) as UserPage;
  expectEqual(page.total, page.users.length, 'total of the users');
  return page.users.map(({ id }) => id);
}

/** The users that were created, in the order of ids. */
let ids: number[] = [];

/** A rehearsal of what happens to a stage over years. Each step continues where the previous one ended. */
export const STEPS: readonly Step[] = [
  {
    title: 'dev is deployed, and prints its URL',
    async run({ serverless }) {
      // With its functions. Other deployments have empty ones: nothing here runs them.
      const { root, remove } = copyProject();
      expectWell(await serverless('deploy --stage dev', OPEN, root));
      remove();
      const said = expectWell(await serverless('info --stage dev', OPEN));
      if (!/GET - https:\S+\/dev\/api\/users\n/.test(said)) throw new Error(`The output has no URL:\n${said}`);
    },
  },
  {
    title: 'a change of dev that AWS refuses changes nothing',
    async run({ serverless }) {
      const { root, replace, remove } = copyShell();
      replace('lib/users/tables.yml', 'StreamViewType: KEYS_ONLY', 'StreamViewType: NEW_IMAGE');
      expectRefusal(await serverless('deploy --stage dev', OPEN, root), 'does not change while there is a stream');
      remove();
    },
  },
  {
    title:
      'a second deployment of dev sends an event to a queue, a third one removes a route, and dev is removed with its tables',
    async run(rehearsal) {
      await eventsArrive(rehearsal, DEV, OPEN);
      expectWell(await rehearsal.serverless('remove --stage dev', OPEN));
      expectEqual(await tableNames(rehearsal), [], 'tables left');
    },
  },
  {
    title: 'a failed first deployment of prod deletes its tables',
    async run(rehearsal) {
      rehearsal.standIn.breakResources(['ApiGatewayRestApi']);
      expectRefusal(await rehearsal.serverless('deploy --stage prod'), 'ApiGatewayRestApi');
      rehearsal.standIn.breakResources([]);
      expectEqual(await tableNames(rehearsal), [], 'tables left');
    },
  },
  {
    title: 'prod is deployed, and its tables are protected',
    async run(rehearsal) {
      expectWell(await rehearsal.serverless('deploy --stage prod', DOMAIN));
      expectEqual(await protections(rehearsal), [true, true], 'protection');
      const { users, fold } = rehearsal.service(PROD);
      const created = await users.createMany(
        Array.from({ length: USERS / 2 }, (_, n) => ({ name: `n${n}`, lastName: `l${n % 7}`, country: `C${n % 3}` })),
      );
      await fold.run(10_000);
      // These users stay in the journal.
      const late = await users.createMany(Array.from({ length: USERS / 2 }, (_, n) => ({ name: `late${n}` })));
      ids = [...created, ...late].map(({ id }) => id).toSorted((a, b) => a - b);
    },
  },
  {
    title: 'faults during the second deployment of prod take it back, and its tables stay protected',
    async run(rehearsal) {
      await faultsTakeBack(rehearsal, 'prod');
      expectEqual(await protections(rehearsal), [true, true], 'protection');
    },
  },
  {
    title: 'a version of prod that fails the smoke test is taken back',
    async run(rehearsal) {
      await failedTestTakesBack(rehearsal, 'prod');
      // The version before was the first one, which makes tables without protection.
      expectEqual(await protections(rehearsal), [true, true], 'protection');
    },
  },
  {
    title: 'a version of prod that passes the smoke test stays',
    run: (rehearsal) => passedTestStays(rehearsal, 'prod'),
  },
  {
    title: 'prod is removed, and its tables stay',
    async run(rehearsal) {
      expectWell(await rehearsal.serverless('remove --stage prod'));
      expectEqual(await tableNames(rehearsal), [PROD.directory, PROD.users], 'tables');
    },
  },
  {
    title: 'prod is not deployed next to these tables, and says what to do',
    async run({ serverless }) {
      expectRefusal(await serverless('deploy --stage prod'), askForAdoption(PROD, 'prod'));
    },
  },
  {
    title: 'prod adopts the tables with all users, and can be deployed again',
    async run(rehearsal) {
      expectWell(await rehearsal.serverless('deploy --stage prod --adopt', DOMAIN));
      expectEqual(await idsOf(rehearsal, PROD), ids, 'ids');
      expectEqual(await protections(rehearsal), [true, true], 'protection');
      expectWell(await rehearsal.serverless('deploy --stage prod --force'));
      expectEqual(await idsOf(rehearsal, PROD), ids, 'ids');
    },
  },
  {
    title: 'a field is added later, with one index per deployment, while all users stay',
    run: (rehearsal) => laterField(rehearsal, PROD, USERS),
  },
  {
    title: 'prod uses restored tables without a stream, with new statistics',
    async run(rehearsal) {
      const { dynamo, verify, serverless } = rehearsal;
      for (const table of ['users', 'directory'] as const) {
        const names = { SourceTableName: PROD[table], TargetTableName: RESTORED[table] };
        await dynamo.send(new RestoreTableToPointInTimeCommand({ ...names, UseLatestRestorableTime: true }));
      }
      expectWell(await verify('--stage prod --restored', FROM_RESTORED));
      expectWell(await verify('--stage prod', FROM_RESTORED));
      ids = await idsOf(rehearsal, PROD);
      expectEqual(await idsOf(rehearsal, RESTORED), ids, 'ids');
      expectWell(await serverless('deploy --stage prod', FROM_RESTORED));
      expectEqual((await tableNames(rehearsal)).length, 4, 'tables, including the former ones');
    },
  },
  {
    title: 'prod uses the stream of the restored table',
    async run(rehearsal) {
      const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const;
      await rehearsal.dynamo.send(new UpdateTableCommand({ TableName: RESTORED.users, StreamSpecification }));
      const USERS_STREAM = (await describe(rehearsal, RESTORED.users))?.LatestStreamArn ?? '';
      expectWell(await rehearsal.serverless('deploy --stage prod', { ...FROM_RESTORED, USERS_STREAM }));
    },
  },
  {
    title: 'prod returns to its own tables only with --adopt',
    async run(rehearsal) {
      expectRefusal(await rehearsal.serverless('deploy --stage prod'), askForAdoption(PROD, 'prod'));
      // An empty Directory table is refused, too: its statistics are computed first.
      await emptyTable(rehearsal, PROD.directory);
      expectRefusal(await rehearsal.serverless('deploy --stage prod --adopt'), noStatistics(PROD));
      expectWell(await rehearsal.verify('--stage prod --restored'));
      expectWell(await rehearsal.serverless('deploy --stage prod --adopt'));
      expectEqual(await idsOf(rehearsal, PROD), ids, 'ids');
    },
  },
];
