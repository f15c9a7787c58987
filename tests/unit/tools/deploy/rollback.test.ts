import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, type StateValue } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, test, vi } from 'vitest';
import { rollbackOn } from '../../../../tools/deploy/rollback.ts';
import { fitToStage } from '../../../../tools/deploy/rollout.ts';
import { pluginFor } from '../../../support/deployPlugin.ts';

const ALARM = 'user-management-prod-faults';
const Arn = `arn:aws:cloudwatch:eu-central-1:123456789012:alarm:${ALARM}`;
const WATCHED = { RollbackTriggers: [{ Arn, Type: 'AWS::CloudWatch::Alarm' }], MonitoringTimeInMinutes: 10 };
const NOTHING = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };

const config = { region: 'local' };

/** An account with the alarm in this state, if any, and with tables in the stack of the stage, or without. Returns what CloudWatch was asked. */
function accountWith({ alarm, hasTables = false }: { alarm?: StateValue | undefined; hasTables?: boolean }): object[] {
  const asked: object[] = [];
  const answer = (client: { prototype: object }, output: object) =>
    vi.spyOn(client.prototype as CloudWatchClient, 'send').mockImplementation(async ({ input }) => {
      if (client === CloudWatchClient) asked.push(input);
      return output;
    });
  answer(CloudFormationClient, hasTables ? { StackResourceDetail: { ResourceStatus: 'CREATE_COMPLETE' } } : {});
  answer(DynamoDBClient, hasTables ? { Table: { DeletionProtectionEnabled: true } } : {});
  answer(LambdaClient, { AccountLimit: { ConcurrentExecutions: 1_000 } });
  answer(CloudWatchClient, { MetricAlarms: alarm ? [{ AlarmArn: Arn, StateValue: alarm }] : [] });
  return asked;
}

describe('CloudFormation', () => {
  const sentence = `The alarm ${ALARM} is on already, so faults do not roll this deployment back.`;

  test.each<[string, StateValue | undefined, object, string[]]>([
    ['watches the alarm of faults during a deployment and for ten minutes after it', 'OK', WATCHED, []],
    ['watches an alarm that has seen no request yet', 'INSUFFICIENT_DATA', WATCHED, []],
    ['watches no alarm that does not exist', undefined, NOTHING, []],
    ['watches no alarm that is on already, and a warning says so', 'ALARM', NOTHING, [sentence]],
  ])('%s', async (_, alarm, expected, warnings) => {
    const asked = accountWith({ alarm });
    const told: string[] = [];
    expect(await rollbackOn(config, ALARM, 10, (message) => told.push(message))).toEqual(expected);
    expect([asked, told]).toEqual([[{ AlarmNames: [ALARM] }], warnings]);
  });
});

describe('a stage', () => {
  /** The alarms that CloudFormation is told to watch after a hook. If it is told nothing (undefined), it keeps those of the last deployment. */
  async function watchedAt(hook: string, options: { unwatched?: boolean }, enabled = true) {
    const monitoring = { enabled, email: '', rollbackMinutes: 10 };
    const { hooks, provider } = pluginFor('deploy', { monitoring }, { config, ...options });
    await hooks[hook]?.();
    return provider.rollbackConfiguration;
  }

  test.each<[string, string, { unwatched?: boolean }, boolean, object]>([
    ['with alarms is watched while it is deployed', 'before:package:initialize', {}, true, WATCHED],
    ['without alarms has an empty list of triggers', 'before:package:initialize', {}, false, NOTHING],
    ['that is deployed unwatched has an empty list', 'before:package:initialize', { unwatched: true }, true, NOTHING],
    ['that rolls back is not watched', 'before:rollback:rollback', {}, true, NOTHING],
  ])('%s', async (_, hook, options, enabled, expected) => {
    accountWith({ alarm: 'OK' });
    expect(await watchedAt(hook, options, enabled)).toEqual(expected);
  });
});

test.each([
  ['first', false],
  ['second', true],
])(
  'the template of the %s deployment protects no tables, so that no rollback takes the protection away',
  async (_, hasTables) => {
    accountWith({ hasTables });
    const table = (TableName: string) => ({
      Type: 'AWS::DynamoDB::Table',
      Properties: { TableName, DeletionProtectionEnabled: true },
    });
    const resources = { UsersTable: table('u'), DirectoryTable: table('d') };
    const rollout = { stage: 'prod', stack: 's', tables: { users: 'u', directory: 'd' }, isAdopting: false };
    expect(await fitToStage(config, { ...rollout, resources })).toBeUndefined();
    const protection = Object.values(resources).map(({ Properties }) => Properties.DeletionProtectionEnabled);
    expect(protection).toEqual([false, false]);
  },
);
