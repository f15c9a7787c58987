import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  folder,
  functionsOf,
  grantsOf,
  ISSUER,
  ofType,
  on,
  packageProgram,
  packageStage,
  READ_STREAM,
  schedulesOf,
  shell,
  statementsOf,
  type Template,
} from '../support/template.ts';

const SETTINGS = { ...ISSUER, ALARM_EMAIL: 'ops@example.com' };

let without: Template;
let template: Template;

beforeAll(() => {
  without = packageStage('prod', SETTINGS, shell.root);
  shell.replace('serverless.yml', '    events: false', '    events: true');
  template = packageStage('prod', SETTINGS, shell.root);
});

afterAll(() => {
  shell.remove();
  rmSync(folder, { recursive: true });
});

const namesOf = (of: Template) =>
  ofType(of, 'AWS::Lambda::Function').map(([, { Properties }]) =>
    String(Properties.FunctionName).replace('user-management-prod-', ''),
  );

describe('a stage with events', () => {
  test('has a bus, a function that sends, its logs and an alarm, and everything else as without events', () => {
    expect(namesOf(template).toSorted()).toEqual([...functionsOf('prod'), 'sendEvents'].toSorted());
    const more = Object.keys(template).filter((id) => !(id in without) && !/^\w+(Version|Deployment)\w+$/.test(id));
    expect(more.toSorted()).toEqual([
      'EventBus',
      'EventsAlarm',
      'SendEventsEventSourceMappingDynamodbUsersTable',
      'SendEventsEventsRuleSchedule1',
      'SendEventsLambdaFunction',
      'SendEventsLambdaPermissionEventsRuleSchedule1',
      'SendEventsLogGroup',
      'SendEventsRole',
    ]);
    expect(template.EventBus).toEqual({
      Type: 'AWS::Events::EventBus',
      Properties: { Name: 'user-management-prod' },
    });
    expect(template.SendEventsLambdaFunction?.Properties).toMatchObject({
      MemorySize: 512,
      Timeout: 60,
      Environment: { Variables: { EVENT_BUS: 'user-management-prod', HISTORY_DAYS: '30' } },
    });
  });

  test('lets the function read the feed, write only its own token, and put events only on the bus', () => {
    expect(grantsOf(template, 'sendEvents')).toEqual(
      [...on('DirectoryTable', 'BatchGetItem', 'Query', 'UpdateItem'), ...READ_STREAM].sort(),
    );
    expect(statementsOf(template, 'sendEvents')).toEqual(
      expect.arrayContaining([
        {
          Effect: 'Allow',
          Action: ['events:PutEvents'],
          Resource: [{ 'Fn::GetAtt': ['EventBus', 'Arn'] }],
        },
        {
          Effect: 'Allow',
          Action: ['dynamodb:UpdateItem'],
          Resource: [expect.anything()],
          Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['events'] } },
        },
      ]),
    );
    const putting = Object.keys(template).filter((id) => JSON.stringify(template[id]).includes('events:PutEvents'));
    expect(putting).toEqual(['SendEventsRole']);
  });

  test('sends after writes, when the fold has kept them, and every minute, and does not repeat a failed call', () => {
    expect(template.SendEventsEventSourceMappingDynamodbUsersTable?.Properties).toEqual({
      BatchSize: 1000,
      Enabled: true,
      EventSourceArn: { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] },
      FunctionName: { 'Fn::GetAtt': ['SendEventsLambdaFunction', 'Arn'] },
      StartingPosition: 'LATEST',
      MaximumBatchingWindowInSeconds: 20,
      MaximumRecordAgeInSeconds: 60,
      MaximumRetryAttempts: 0,
    });
    expect(schedulesOf(template)).toEqual(['rate(1 minute)', 'rate(1 minute)']);
  });

  test('leaves the function of the fold as it is', () => {
    for (const id of ['FoldLambdaFunction', 'FoldRole', 'FoldEventSourceMappingDynamodbUsersTable']) {
      const { Code: _, ...properties } = template[id]?.Properties ?? {};
      const { Code: __, ...before } = without[id]?.Properties ?? {};
      expect(properties).toEqual(before);
    }
  });
});

describe('a stage without events', () => {
  test('has neither a bus nor a sender, and nothing that belongs to them', () => {
    expect(namesOf(without).toSorted()).toEqual(functionsOf('prod').toSorted());
    expect(JSON.stringify(without)).not.toMatch(/sendEvents|EventBus|EVENT_BUS|eventsLagSeconds|PutEvents/);
  });
});

/** The last test, because its setting stays. */
describe('a stage with events that keeps no changes', () => {
  test('is refused', () => {
    shell.replace('serverless.yml', '    historyDays: 30', '    historyDays: 0');
    const program = packageProgram('prod', join(folder, 'none'));
    const { status, stdout } = spawnSync(process.execPath, program, {
      cwd: shell.root,
      env: { ...ISSUER },
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe(
      'Error:\nStage prod has events, but keeps no changes to make them from: set its historyDays to some days, or its events to false.',
    );
    expect(status).toBe(1);
  });
});
