import { describe, expect, test } from 'vitest';
import { readTemplate } from '../../../support/cloudFormation.ts';
import { pluginFor } from '../../../support/deployPlugin.ts';
import { doorTemplates } from '../../../support/doorTemplates.ts';
import { read, readYaml } from '../../../support/files.ts';

const TOLD = { 'Fn::If': ['HasAlarmTopic', [{ Ref: 'AlarmTopic' }], { Ref: 'AWS::NoValue' }] };
const json = (value: unknown) => JSON.stringify(value) ?? '';

describe.each(doorTemplates())('$file', ({ parameters, resources, ofType }) => {
  const alarms = ofType('CloudWatch::Alarm').map(([, { Properties }]) => Properties);

  test('has alarms, which one parameter leads to somebody, and so their end', () => {
    expect([parameters.AlarmTopic.Default, alarms.length > 0]).toEqual(['', true]);
    for (const { AlarmActions, OKActions } of alarms) expect([AlarmActions, OKActions]).toEqual([TOLD, TOLD]);
  });

  test('watches each queue that gets what could not be delivered', () => {
    const dead = [
      ...json(resources).matchAll(
        /"(?:deadLetterTargetArn|DeadLetterConfig)":(?:\{"Arn":)?\{"Fn::GetAtt":"(\w+)\.Arn"/g,
      ),
    ];
    const watched = alarms.flatMap(({ MetricName, Dimensions }) =>
      MetricName === 'ApproximateNumberOfMessagesVisible' ? [Dimensions[0].Value['Fn::GetAtt'].split('.')[0]] : [],
    );
    expect([...new Set(watched)]).toEqual([...new Set(dead.map(([, name]) => name))]);
  });

  test('has encrypted topics and queues, and roles that write to its own log group, within a boundary', () => {
    for (const [, { Properties }] of ofType('SNS::Topic')) expect(Properties.KmsMasterKeyId).toBe('alias/aws/sns');
    for (const [, { Properties }] of ofType('SQS::Queue')) expect(Properties.SqsManagedSseEnabled).toBe(true);
    const boundary = { 'Fn::If': ['HasBoundary', { Ref: 'Boundary' }, { Ref: 'AWS::NoValue' }] };
    const groups = ofType('Logs::LogGroup').map(([name]) => json({ 'Fn::GetAtt': `${name}.Arn` }));
    for (const [, { Properties }] of ofType('IAM::Role')) {
      expect([Properties.ManagedPolicyArns, Properties.PermissionsBoundary]).toEqual([undefined, boundary]);
      const statements = (Properties.Policies ?? []).flatMap(
        ({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) => PolicyDocument.Statement,
      );
      for (const { Action, Resource } of statements)
        if (json(Action).includes('logs:')) expect(groups).toContain(json(Resource));
    }
    for (const [, { Properties }] of ofType('Lambda::Function'))
      expect(Properties.LoggingConfig.LogGroup.Ref).toBe('Log');
  });
});

test('audit watches what Firehose did not write, what was not copied, and what is late to be copied', () => {
  const { Resources } = readTemplate('doors/audit/template.yml');
  const [rule] = Resources.Landing.Properties.ReplicationConfiguration.Rules;
  expect([rule.Id, rule.Destination.Metrics]).toEqual(['changes', { Status: 'Enabled' }]);
  const of = (id: string) => {
    const { Namespace, MetricName, Dimensions } = Resources[id].Properties;
    return [
      Namespace,
      MetricName,
      ...Dimensions.map(({ Name, Value }: { Name: string; Value: unknown }) => `${Name} ${json(Value)}`),
    ];
  };
  const copy = ['SourceBucket {"Ref":"Landing"}', 'DestinationBucket {"Ref":"Archive"}', 'RuleId "changes"'];
  expect(of('Unreplicated')).toEqual(['AWS/S3', 'OperationsFailedReplication', ...copy]);
  expect(of('Late')).toEqual(['AWS/S3', 'ReplicationLatency', ...copy]);
  expect(of('Undelivered')).toEqual([
    'AWS/Firehose',
    'DeliveryToS3.DataFreshness',
    'DeliveryStreamName {"Ref":"Delivery"}',
  ]);
});

test('a stage and doors with code have the tags that templates get', () => {
  for (const hook of ['before:deploy:deploy', 'before:rollback:rollback']) {
    const { hooks, provider } = pluginFor('deploy', {});
    hooks[hook]?.();
    expect(provider.stackTags).toEqual({ service: 'own' });
  }
  // In the state that the framework saves they would let it change the stage of the API by itself.
  expect(readYaml('serverless.yml').provider.stackTags).toBe(undefined);
  for (const door of ['scim', 'agents', 'webhook'])
    expect(readYaml(`doors/${door}/serverless.yml`).provider.stackTags).toEqual({ service: 'user-management' });
  expect(read('tools/operate/stages.ts')).toContain('{ STAGE: stage, service: SERVICE }');
});

test('the webhook has alarms for lost changes and for runs that fail, which one parameter leads to somebody', () => {
  const { resources, provider } = readTemplate('doors/webhook/serverless.yml');
  const { Losses, Lost, Stopped } = resources.Resources;
  for (const { Properties } of [Lost, Stopped])
    expect([Properties.AlarmActions, Properties.OKActions]).toEqual([TOLD, TOLD]);
  expect(provider.stackParameters).toEqual([{ ParameterKey: 'AlarmTopic', ParameterValue: '${param:AlarmTopic}' }]);
  const [filter] = Losses.Properties.MetricTransformations;
  expect([filter.MetricNamespace, filter.MetricName]).toEqual([Lost.Properties.Namespace, Lost.Properties.MetricName]);
  expect(read('doors/webhook/door.ts')).toContain(`console.error(\`${JSON.parse(Losses.Properties.FilterPattern)}`);
  // It reads one secret, and writes one table.
  expect(provider.iam.role.statements).toEqual([
    { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: '${param:secret}' },
    { Effect: 'Allow', Action: 'dynamodb:UpdateItem', Resource: { 'Fn::GetAtt': 'Table.Arn' } },
  ]);
});
