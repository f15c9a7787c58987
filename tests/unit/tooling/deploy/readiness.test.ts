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

const USERS = resource({
  DeletionProtectionEnabled: true,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
});

const restored: TableDescription = { TableName: 'u', DeletionProtectionEnabled: false };

describe('a table that is adopted', () => {
  test('gets all settings that a restored table lacks, protection first', async () => {
    const { client, asked } = recordingClient();
    await makeReady(client, restored, USERS);
    expect(asked).toEqual([
      ['UpdateTableCommand', { TableName: 'u', DeletionProtectionEnabled: true }],
      [
        'UpdateTableCommand',
        { TableName: 'u', StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } },
      ],
      [
        'UpdateContinuousBackupsCommand',
        { TableName: 'u', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
    ]);
  });

  test('keeps its stream, because functions depend on its name', async () => {
    const { client, asked } = recordingClient();
    const table = { ...restored, DeletionProtectionEnabled: true, StreamSpecification: { StreamEnabled: true } };
    await makeReady(client, table, USERS);
    expect(asked.map(([command]) => command)).toEqual(['UpdateContinuousBackupsCommand']);
  });

  test('gets only the settings of its template', async () => {
    const { client, asked } = recordingClient();
    await makeReady(client, restored, resource({ DeletionProtectionEnabled: false }));
    expect(asked).toEqual([]);
  });

  const ENCRYPTED = resource({ SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'key' } });

  test.each([
    ['has none', {}, 1],
    ['has another', { SSEDescription: { KMSMasterKeyArn: 'other' } }, 1],
    ['has it', { SSEDescription: { KMSMasterKeyArn: 'key' } }, 0],
  ])('gets the key of its template if it %s', async (_, more, times) => {
    const { client, asked } = recordingClient();
    await makeReady(client, { ...restored, ...more }, ENCRYPTED);
    expect(asked).toEqual(
      Array(times).fill([
        'UpdateTableCommand',
        { TableName: 'u', SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: 'key' } },
      ]),
    );
  });

  test('keeps its key if its template names none', async () => {
    const { client, asked } = recordingClient();
    const table = { ...restored, SSEDescription: { KMSMasterKeyArn: 'key' } };
    await makeReady(client, table, resource({ SSESpecification: { SSEEnabled: true } }));
    expect(asked).toEqual([]);
  });

  const EXPIRING = resource({ TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });

  test.each([
    ['TimeToLive is already enabled', true],
    ['Access denied', false],
  ])('gets time to live; the error "%s" is ignored: %s', async (message, isWell) => {
    const { client, asked } = recordingClient({ command: 'UpdateTimeToLiveCommand', message });
    const outcome = await makeReady(client, restored, EXPIRING).then(
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
  await protect(client, restored);
  await protect(client, { ...restored, DeletionProtectionEnabled: true });
  expect(asked).toEqual([['UpdateTableCommand', { TableName: 'u', DeletionProtectionEnabled: true }]]);
});
