import { DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { makeReady, protect } from '../../../../lib/tooling/deploy/adoption.ts';

/** A client that sends nothing, reports every table as existing, and records its commands. */
function recordingClient(refuse?: { command: string; message: string }) {
  const asked: [command: string | undefined, input: object][] = [];
  const client = new DynamoDBClient({ region: 'local', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  client.middlewareStack.add(
    (_, { commandName }) =>
      async ({ input }) => {
        if (commandName !== 'DescribeTableCommand') asked.push([commandName, input]);
        if (commandName === refuse?.command) throw new Error(refuse?.message);
        return { output: { $metadata: {}, Table: { TableStatus: 'ACTIVE' } }, response: {} };
      },
    { step: 'initialize', priority: 'high' },
  );
  return { client, asked };
}

const resource = (Properties: Record<string, unknown>) => ({ Type: 'AWS::DynamoDB::Table', Properties });

const RESTORED: TableDescription = { TableName: 'u', DeletionProtectionEnabled: false };

const PROTECTION = { DeletionProtectionEnabled: true };
const RECOVERY = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };
const USERS = { ...PROTECTION, ...RECOVERY, StreamSpecification: { StreamViewType: 'KEYS_ONLY' } };
const KEY = { SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'key' } };

describe('a table that is adopted', () => {
  test.each<[string, Partial<TableDescription>, Record<string, unknown>, [command: string, settings: object][]]>([
    [
      'gets all settings that a restored table lacks, protection first',
      {},
      USERS,
      [
        ['UpdateTableCommand', PROTECTION],
        ['UpdateTableCommand', { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }],
        ['UpdateContinuousBackupsCommand', RECOVERY],
      ],
    ],
    [
      'keeps its stream, because functions depend on its name',
      { ...PROTECTION, StreamSpecification: { StreamEnabled: true } },
      USERS,
      [['UpdateContinuousBackupsCommand', RECOVERY]],
    ],
    ['gets only the settings of its template', {}, { DeletionProtectionEnabled: false }, []],
    ['gets the key of its template if it has none', {}, KEY, [['UpdateTableCommand', KEY]]],
    [
      'gets the key of its template if it has another',
      { SSEDescription: { KMSMasterKeyArn: 'other' } },
      KEY,
      [['UpdateTableCommand', KEY]],
    ],
    ['keeps the key of its template', { SSEDescription: { KMSMasterKeyArn: 'key' } }, KEY, []],
    [
      'keeps its key if its template names none',
      { SSEDescription: { KMSMasterKeyArn: 'key' } },
      { SSESpecification: { SSEEnabled: true } },
      [],
    ],
  ])('%s', async (_, table, template, commands) => {
    const { client, asked } = recordingClient();
    await makeReady(client, { ...RESTORED, ...table }, resource(template));
    expect(asked).toEqual(commands.map(([command, settings]) => [command, { TableName: 'u', ...settings }]));
  });

  const EXPIRING = resource({ TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });

  test.each([
    ['TimeToLive is already enabled', true],
    ['Access denied', false],
  ])('gets time to live; the error "%s" is ignored: %s', async (message, isWell) => {
    const { client, asked } = recordingClient({ command: 'UpdateTimeToLiveCommand', message });
    const outcome = await makeReady(client, RESTORED, EXPIRING).then(
      () => true,
      () => false,
    );
    expect(outcome).toBe(isWell);
    expect(asked).toEqual([
      ['UpdateTimeToLiveCommand', { TableName: 'u', TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }],
    ]);
  });
});

test('a protected table is not protected again', async () => {
  const { client, asked } = recordingClient();
  await protect(client, RESTORED);
  await protect(client, { ...RESTORED, DeletionProtectionEnabled: true });
  expect(asked).toEqual([['UpdateTableCommand', { TableName: 'u', DeletionProtectionEnabled: true }]]);
});
