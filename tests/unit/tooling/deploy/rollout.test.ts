import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fitToStage } from '../../../../lib/tooling/deploy/rollout.ts';

afterEach(() => vi.restoreAllMocks());

const KEYS = { AttributeDefinitions: [], KeySchema: [], GlobalSecondaryIndexes: [] };

const table = (TableName: string) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { TableName, ...KEYS, DeletionProtectionEnabled: true },
});

/** A stage whose tables are in its stack, or do not exist. */
function stageWith(hasTables: boolean): void {
  const answer = (client: { prototype: object }, output: object) =>
    vi.spyOn(client.prototype as DynamoDBClient, 'send').mockImplementation(async () => output);
  answer(CloudFormationClient, { StackResourceDetail: { ResourceStatus: hasTables ? 'CREATE_COMPLETE' : undefined } });
  answer(DynamoDBClient, hasTables ? { Table: { ...KEYS, DeletionProtectionEnabled: true } } : {});
}

describe('the template of a stage that protects its tables', () => {
  test.each([
    ['first', false],
    ['second', true],
  ])('says nothing of it in the %s deployment, so that no rollback takes the protection away', async (_, hasTables) => {
    stageWith(hasTables);
    const resources = { UsersTable: table('u'), DirectoryTable: table('d') };
    const rollout = {
      stage: 'prod',
      stack: 's',
      tables: { users: 'u', directory: 'd' },
      resources,
      isAdopting: false,
      hasAccessLogs: false,
    };
    expect(await fitToStage({ region: 'local' }, rollout, () => {})).toBeUndefined();
    const protection = Object.values(resources).map(({ Properties }) => Properties.DeletionProtectionEnabled);
    expect(protection).toEqual([false, false]);
  });
});
