import { describe, expect, test } from 'vitest';
import { LISTINGS } from '../../../../lib/http/listingRules.ts';
import { grantsOf, PERMISSION_WORDS } from '../../../../lib/tooling/deploy/permissions.ts';
import {
  apiArn,
  arn,
  bucketArn,
  bucketName,
  generatedName,
  ownRequests,
  roleArn,
  stackOf,
  tagged,
  tagsArn,
} from '../../../support/deploymentRequests.ts';
import { boundaryArn, deployRole, KMS_KEY, parametersOfRole } from '../../../support/deployRole.ts';
import { type IamRequest, isAllowedBy } from '../../../support/iam.ts';

const mayDeployerOf = (stage: string, action: string, resource: string, context = {}): boolean =>
  isAllowedBy(deployRole(stage).deployer, { action, resource, context });

/** A stage whose role asks, and a stage that it must leave alone. */
const PAIRS = [
  ['dev', 'prod'],
  ['prod', 'dev'],
  ['dev', 'dev2'],
  ['dev2', 'dev'],
] as const;

const API = '/restapis/abc123';

/** One request for each kind of resource of a stage. */
const resourcesOf = (stage: string): [action: string, resource: string, context?: Record<string, string>][] => [
  ['cloudformation:UpdateStack', arn('cloudformation', `stack/${stackOf(stage)}/a1-b2`)],
  ['s3:PutBucketPolicy', bucketArn(bucketName(stage))],
  ['s3:PutObject', bucketArn(`${bucketName(stage)}/serverless/fold.zip`)],
  ['lambda:UpdateFunctionCode', arn('lambda', `function:${stackOf(stage)}-fold`)],
  [
    'lambda:UpdateEventSourceMapping',
    arn('lambda', 'event-source-mapping:a1'),
    { 'lambda:FunctionArn': arn('lambda', `function:${stackOf(stage)}-fold`) },
  ],
  ['lambda:UntagResource', arn('lambda', 'event-source-mapping:a1'), tagged(stage)],
  ['dynamodb:DeleteTable', arn('dynamodb', `table/${stackOf(stage)}-users`)],
  ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/lambda/${stackOf(stage)}-fold:*`)],
  ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/apigateway/${stackOf(stage)}`)],
  ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/apigateway/${stackOf(stage)}:*`)],
  ['cloudwatch:DeleteAlarms', arn('cloudwatch', `alarm:${stackOf(stage)}-faults`)],
  ['sns:DeleteTopic', arn('sns', generatedName(stage, 'AlarmTopic'))],
  ['events:DeleteRule', arn('events', `rule/${generatedName(stage, 'FoldEventsRuleSchedule1')}`)],
  ['events:DeleteEventBus', arn('events', `event-bus/${stackOf(stage)}`)],
  ['iam:DeleteRole', roleArn(generatedName(stage, 'FoldRole'))],
  ['iam:PassRole', roleArn(generatedName(stage, 'FoldRole')), { 'iam:PassedToService': 'lambda.amazonaws.com' }],
  ['apigateway:PUT', apiArn(`${API}/resources/a1/methods/GET`), tagged(stage)],
  ['apigateway:POST', apiArn(`${API}/resources/a1/methods/GET`), tagged(stage)],
  ['apigateway:PATCH', apiArn(`${API}/stages/${stage}`), tagged(stage)],
  ['apigateway:DELETE', apiArn(API), tagged(stage)],
  ['apigateway:UpdateRestApiPolicy', apiArn(API), tagged(stage)],
];

describe('the role for the deployments of one stage', () => {
  test.each(PAIRS)('of %s cannot touch what belongs to %s, and can with its own', (stage, other) => {
    const allowed = (target: string) =>
      resourcesOf(target)
        .filter(([action, resource, context]) => mayDeployerOf(stage, action, resource, context))
        .map(([action, resource]) => `${action} ${resource}`);
    expect(allowed(other)).toEqual([]);
    expect(allowed(stage)).toEqual(resourcesOf(stage).map(([action, resource]) => `${action} ${resource}`));
  });

  test.each(PAIRS)('of %s cannot make itself the owner of the API of %s', (stage, other) => {
    const own = { 'aws:RequestTag/STAGE': stage, 'aws:TagKeys': 'STAGE' };
    const asked: [string, string, Record<string, string>][] = [
      ['apigateway:PUT', tagsArn(API), own],
      ['apigateway:PUT', tagsArn(API), { ...own, ...tagged(other) }],
      ['apigateway:PUT', tagsArn(`${API}/stages/${other}`), own],
      ['apigateway:DELETE', tagsArn(API), { 'aws:TagKeys': 'STAGE' }],
      ['apigateway:POST', apiArn(`${API}/stages`), { ...own, ...tagged(other) }],
      ['apigateway:PATCH', apiArn(API), { ...own, ...tagged(other) }],
    ];
    for (const [action, resource, context] of asked)
      expect(mayDeployerOf(stage, action, resource, context), `${action} ${resource}`).toBe(false);
  });

  test('makes no API with the tag of another stage, or with none', () => {
    const create = (context: object) => mayDeployerOf('dev', 'apigateway:POST', apiArn('/restapis'), context);
    expect(create({ 'aws:RequestTag/STAGE': 'dev' })).toBe(true);
    expect(create({ 'aws:RequestTag/STAGE': 'dev2' })).toBe(false);
    expect(create({})).toBe(false);
  });

  test('leaves the APIs of other services alone, with the same tag or with none', () => {
    const change = (context: object) => mayDeployerOf('dev', 'apigateway:PATCH', apiArn(API), context);
    expect(change({})).toBe(false);
    expect(change({ ...tagged('dev'), 'aws:ResourceTag/aws:cloudformation:stack-name': 'billing-dev' })).toBe(false);
    // API Gateway may keep the name of the stack to itself.
    expect(change({ 'aws:ResourceTag/STAGE': 'dev' })).toBe(true);
  });

  test('has no other API, domain, key or account setting of API Gateway', () => {
    for (const path of [
      '/account',
      '/apis/abc123',
      '/domainnames/example.com',
      '/apikeys',
      '/usageplans/a1',
      '/vpclinks',
    ])
      expect(mayDeployerOf('dev', 'apigateway:PATCH', apiArn(path), tagged('dev')), path).toBe(false);
  });

  test('can be taken only by one environment of one repository', () => {
    expect(deployRole('dev').trust).toEqual([
      {
        Effect: 'Allow',
        Principal: { Federated: 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com' },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': 'repo:owner/name:environment:dev',
          },
        },
      },
    ]);
  });

  test('neither reads the users, nor shows them to others', () => {
    const table = arn('dynamodb', 'table/user-management-dev-users');
    for (const action of [
      'Scan',
      'Query',
      'GetItem',
      'PutItem',
      'PutResourcePolicy',
      'ExportTableToPointInTime',
      'EnableKinesisStreamingDestination',
    ])
      expect(mayDeployerOf('dev', `dynamodb:${action}`, table), action).toBe(false);
    expect(mayDeployerOf('dev', 'dynamodb:PutResourcePolicy', `${table}/stream/2026`)).toBe(false);
  });

  test('neither puts events on the bus of its stage, nor lets others', () => {
    const bus = arn('events', 'event-bus/user-management-dev');
    expect(mayDeployerOf('dev', 'events:DescribeEventBus', bus)).toBe(true);
    for (const action of ['PutEvents', 'PutPermission', 'RemovePermission'])
      expect(mayDeployerOf('dev', `events:${action}`, bus), action).toBe(false);
  });

  test('has unbounded resources only if AWS has no names for them', () => {
    const unbounded = deployRole('dev').deployer.filter(({ Resource }) => Resource === '*');
    expect(
      unbounded.map(({ Action, Condition }) => [Action, Condition && Object.values(Condition).flatMap(Object.keys)]),
    ).toEqual([
      ['cloudformation:ValidateTemplate', undefined],
      ['logs:DescribeLogGroups', undefined],
      [expect.arrayContaining(['lambda:CreateEventSourceMapping']), ['lambda:FunctionArn']],
    ]);
  });

  test.each(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary'])(
    'may use %s only within the boundary of its stage',
    (action) => {
      const role = roleArn(generatedName('dev', 'FoldRole'));
      const within = (policy: string) => mayDeployerOf('dev', action, role, { 'iam:PermissionsBoundary': policy });
      expect(within(boundaryArn('dev'))).toBe(true);
      expect(within(boundaryArn('prod'))).toBe(false);
      expect(mayDeployerOf('dev', action, role)).toBe(false);
    },
  );

  test('changes neither boundaries, nor policies, nor who may assume a role', () => {
    const context = { 'iam:PermissionsBoundary': boundaryArn('dev') };
    for (const action of ['DeleteRolePermissionsBoundary', 'AttachRolePolicy', 'UpdateAssumeRolePolicy', 'UpdateRole'])
      expect(mayDeployerOf('dev', `iam:${action}`, roleArn(generatedName('dev', 'FoldRole')), context), action).toBe(
        false,
      );
    for (const action of ['CreatePolicyVersion', 'SetDefaultPolicyVersion', 'DeletePolicy'])
      expect(mayDeployerOf('dev', `iam:${action}`, boundaryArn('dev'), context), action).toBe(false);
  });

  test('has no power over the roles for deployments, and gives roles only to Lambda', () => {
    for (const stage of ['dev', 'prod'])
      expect(mayDeployerOf(stage, 'iam:DeleteRole', roleArn(`user-management-deploy-${stage}-Role-1A2B3C`))).toBe(
        false,
      );
    const role = roleArn(generatedName('dev', 'FoldRole'));
    expect(mayDeployerOf('dev', 'iam:PassRole', role, { 'iam:PassedToService': 'ec2.amazonaws.com' })).toBe(false);
    expect(mayDeployerOf('dev', 'iam:PassRole', role)).toBe(false);
  });

  test('makes a role of AWS only for API Gateway, which the first API of an account needs', () => {
    const role = roleArn('aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway');
    const make = (context: object) => mayDeployerOf('dev', 'iam:CreateServiceLinkedRole', role, context);
    expect(make({ 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' })).toBe(true);
    expect(make({ 'iam:AWSServiceName': 'ecs.amazonaws.com' })).toBe(false);
  });

  test.each(['d', 'dev', 'dev2', 'prod', 'abcdefgh'])('of %s may ask what the framework asks for itself', (stage) => {
    expect(new RegExp(parametersOfRole().Stage.AllowedPattern).test(stage)).toBe(true);
    expect(ownRequests(stage).filter((request) => !isAllowedBy(deployRole(stage).deployer, request))).toEqual([]);
  });

  test('is refused for a stage whose names it could not know, or that are those of others', () => {
    const pattern = new RegExp(parametersOfRole().Stage.AllowedPattern);
    for (const stage of ['', 'production', 'Dev', 'dev-eu', 'dev_1', 'de*', 'd?v', '${*}', 'deploy', 'dev\n'])
      expect(pattern.test(stage), stage).toBe(false);
    // Why nine characters are too many: CloudFormation cuts the name of the bucket.
    expect(bucketName('stagename')).toMatch(/^user-management-stagenam-/);
  });

  test('fits into the limits of IAM for inline and managed policies', () => {
    const { deployer, boundary } = deployRole('abcdefgh', KMS_KEY);
    // Region and partition may be longer than those of the test.
    expect(JSON.stringify(deployer).length).toBeLessThan(0.9 * 10_240);
    expect(JSON.stringify(boundary).length).toBeLessThan(0.9 * 6_144);
  });
});

describe('the boundary of the functions of a stage', () => {
  const table = arn('dynamodb', 'table/user-management-dev-users');
  const logs = arn('logs', 'log-group:/aws/lambda/user-management-dev-fold:log-stream:a1');
  const within = (request: IamRequest) => isAllowedBy(deployRole('dev').boundary, request);
  const from = (name: string) => ({ 'lambda:SourceFunctionArn': arn('lambda', `function:${name}`) });

  const DATA = [
    'GetItem',
    'Query',
    'PutItem',
    'UpdateItem',
    'DeleteItem',
    'BatchGetItem',
    'BatchWriteItem',
    'PartiQLInsert',
    'PartiQLUpdate',
  ];

  test.each(DATA)('lets only a running function of the stage use %s', (name) => {
    const ask = (context: Record<string, string>, resource = table) =>
      within({ action: `dynamodb:${name}`, resource, context });
    expect(ask(from('user-management-dev-fold'))).toBe(true);
    expect(ask(from('user-management-dev-fold'), `${table}/index/byName`)).toBe(true);
    expect(ask(from('user-management-dev2-fold'))).toBe(false);
    expect(ask(from('user-management-dev-fold'), arn('dynamodb', 'table/user-management-dev2-users'))).toBe(false);
    // A role that another account assumes.
    expect(ask({})).toBe(false);
  });

  test('lets only a running function of the stage put events, and only on the bus of the stage', () => {
    const put = (stage: string, context: Record<string, string>) =>
      within({ action: 'events:PutEvents', resource: arn('events', `event-bus/user-management-${stage}`), context });
    expect(put('dev', from('user-management-dev-sendEvents'))).toBe(true);
    expect(put('dev2', from('user-management-dev-sendEvents'))).toBe(false);
    expect(put('dev', from('user-management-dev2-sendEvents'))).toBe(false);
    expect(put('dev', {})).toBe(false);
  });

  test('lets only a running function of the stage write logs', () => {
    expect(within({ action: 'logs:PutLogEvents', resource: logs, context: from('user-management-dev-fold') })).toBe(
      true,
    );
    expect(within({ action: 'logs:PutLogEvents', resource: logs })).toBe(false);
  });

  test('lets Lambda read the stream, which it does outside of a function', () => {
    for (const action of ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])
      expect(within({ action: `dynamodb:${action}`, resource: `${table}/stream/2026` }), action).toBe(true);
    expect(within({ action: 'dynamodb:GetRecords', resource: table.replace('dev', 'dev2') })).toBe(false);
  });

  test('has no other actions than functions use', () => {
    const bounded = deployRole('dev').boundary.flatMap(({ Action }) => Action);
    const asked = Object.keys(LISTINGS).flatMap((name) => grantsOf(name, PERMISSION_WORDS));
    expect(bounded.toSorted()).toEqual(
      [
        ...new Set(
          asked.filter((grant) => grant !== 'PutEvents bus').map((grant) => `dynamodb:${grant.split(' ')[0]}`),
        ),
        'events:PutEvents',
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'xray:PutTelemetryRecords',
        'xray:PutTraceSegments',
      ].sort(),
    );
  });
});

describe('the key that encrypts the tables of a stage', () => {
  const via = (service: string) => ({ 'kms:ViaService': `${service}.eu-central-1.amazonaws.com` });
  const USES = [
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ];

  test.each([
    ['its functions', 'boundary', USES],
    ['its deployments', 'deployer', ['kms:CreateGrant', ...USES]],
  ] as const)('is used by %s through DynamoDB only, and no other key is', (_, who, actions) => {
    const statements = deployRole('dev', KMS_KEY)[who];
    const may = (action: string, context: Record<string, string>, resource = KMS_KEY) =>
      isAllowedBy(statements, { action, resource, context });
    expect(actions.filter((action) => !may(action, via('dynamodb')))).toEqual([]);
    for (const action of actions) {
      expect(may(action, {}), action).toBe(false);
      expect(may(action, via('s3')), action).toBe(false);
      expect(may(action, via('dynamodb'), KMS_KEY.replace('1234abcd', '5678abcd')), action).toBe(false);
    }
    for (const action of ['kms:PutKeyPolicy', 'kms:ScheduleKeyDeletion', 'kms:DisableKey'])
      expect(may(action, via('dynamodb')), action).toBe(false);
  });

  test('gives functions no grants, and a stage without one no permissions for any key', () => {
    const grant = { action: 'kms:CreateGrant', resource: KMS_KEY, context: via('dynamodb') };
    expect(isAllowedBy(deployRole('dev', KMS_KEY).boundary, grant)).toBe(false);
    const { deployer, boundary } = deployRole('dev');
    expect(JSON.stringify([deployer, boundary])).not.toContain('kms:');
  });

  test('is one key by its own ARN, or none', () => {
    const pattern = new RegExp(parametersOfRole().KmsKey.AllowedPattern);
    for (const key of ['', KMS_KEY, KMS_KEY.replace('key/', 'key/mrk-')]) expect(pattern.test(key), key).toBe(true);
    for (const key of ['*', KMS_KEY.replace('1234abcd', '*'), KMS_KEY.replace(/key.*/, 'alias/users')])
      expect(pattern.test(key), key).toBe(false);
  });
});
