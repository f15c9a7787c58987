import { DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { deadEndOf, importExisting, makeReady, protect, refusalOf } from '../../../../tools/deploy/adoption.ts';
import type { Stage } from '../../../../tools/deploy/stage.ts';

const table = (TableName: string, key = 'id') => ({
  TableName,
  AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: key, KeyType: 'HASH' as const }],
});

const wanted = { stage: 'prod', users: table('u'), directory: table('d') };
const NOTHING: Stage = { stackStatus: undefined, hasTables: false, users: undefined, directory: undefined };
const BOTH = { ...NOTHING, users: table('u'), directory: table('d') };

const WAY_OUT = '(docs/runbook.md, "A stack that is gone")';

describe('a stage', () => {
  test.each<[string, Stage, boolean, string | undefined]>([
    ['is new', NOTHING, false, undefined],
    ['has its tables in its stack', { ...BOTH, hasTables: true }, false, undefined],
    ['has its tables in its stack, and is told to adopt them again', { ...BOTH, hasTables: true }, true, undefined],
    ['has lost its stack, and is told to adopt its tables', BOTH, true, undefined],
    [
      'has tables but no stack',
      BOTH,
      false,
      `Tables u and d already exist and belong to no stack: deploy with --adopt to use them for stage prod ${WAY_OUT}.`,
    ],
    ['has nothing to adopt', NOTHING, true, 'There are no tables u and d to adopt: leave out --adopt.'],
    [
      'has only the users table',
      { ...NOTHING, users: table('u') },
      true,
      `Table u exists without d and belongs to no stack: restore the other one, too, or delete this one ${WAY_OUT}.`,
    ],
    [
      'has only the directory table',
      { ...NOTHING, directory: table('d') },
      false,
      `Table d exists without u and belongs to no stack: restore the other one, too, or delete this one ${WAY_OUT}.`,
    ],
    [
      'has a table of another version',
      { ...BOTH, directory: table('d', 'pk') },
      true,
      'Table d has other keys, attributes or indexes than this version: adopt it with the version that was deployed last, then deploy this one.',
    ],
  ])('that %s is deployed, or refused with a solution', (_, found, isAdopting, refusal) => {
    expect(refusalOf(found, { ...wanted, isAdopting })).toBe(refusal);
  });

  test.each([
    ['ROLLBACK_COMPLETE', 'Stack s was never created: remove it with "npx serverless remove", then deploy again.'],
    ['DELETE_FAILED', 'Stack s is half removed: run "npx serverless remove" again, then deploy.'],
    [
      'UPDATE_ROLLBACK_FAILED',
      'Stack s could not be rolled back: run "aws cloudformation continue-update-rollback", then deploy again.',
    ],
    ['UPDATE_ROLLBACK_COMPLETE', undefined],
    [undefined, undefined],
  ])('whose stack is %s gets the advice: %s', (stackStatus, sentence) => {
    expect(deadEndOf({ ...NOTHING, stackStatus }, 's')).toBe(sentence);
  });
});

describe('change sets', () => {
  class AwsDeploy {
    readonly own = 'own';
    getCreateChangeSetParams(request: object) {
      return { ...request, own: this.own };
    }
  }

  test('import existing resources, and are otherwise unchanged', () => {
    const deployment = new AwsDeploy();
    importExisting([{}, deployment], 'AwsDeploy');
    expect(deployment.getCreateChangeSetParams({ changeSetType: 'UPDATE' })).toEqual({
      changeSetType: 'UPDATE',
      own: 'own',
      ImportExistingResources: true,
    });
  });

  test('end the deployment with an error if the framework has no plugin that makes them', () => {
    expect(() => importExisting([{}, new AwsDeploy()], 'AwsRollback')).toThrow(
      'The framework no longer makes change sets as this plugin expects',
    );
  });
});

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

  test.each([
    ['TimeToLive is already enabled', true],
    ['Access denied', false],
  ])('gets time to live; the error "%s" is ignored: %s', async (message, isIgnored) => {
    const { client, asked } = recordingClient({ command: 'UpdateTimeToLiveCommand', message });
    const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
    const ready = makeReady(client, RESTORED, resource({ TimeToLiveSpecification }));
    if (isIgnored) await ready;
    else await expect(ready).rejects.toThrow(message);
    expect(asked).toEqual([['UpdateTimeToLiveCommand', { TableName: 'u', TimeToLiveSpecification }]]);
  });
});

test('a protected table is not protected again', async () => {
  const { client, asked } = recordingClient();
  await protect(client, RESTORED);
  await protect(client, { ...RESTORED, DeletionProtectionEnabled: true });
  expect(asked).toEqual([['UpdateTableCommand', { TableName: 'u', DeletionProtectionEnabled: true }]]);
});
