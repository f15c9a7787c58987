import { describe, expect, test } from 'vitest';
import { LISTINGS } from '../../../../lib/http/listingRules.ts';
import { grantsOf, PERMISSION_WORDS } from '../../../../tools/deploy/permissions.ts';
import {
  all,
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
import { boundaryArn, deployRole, KEY_USES, KMS_KEY, parametersOfRole } from '../../../support/deployRole.ts';
import { type IamRequest, isAllowedBy, type PolicyStatement } from '../../../support/iam.ts';

const mayDeployerOf = (stage: string, action: string, resource: string, context = {}): boolean =>
  isAllowedBy(deployRole(stage).deployer, { action, resource, context });

type Decision = [may: boolean, service: string, actions: string, resources: string | string[], context?: object];

/** The requests that a policy decides differently. */
const wronglyDecided = (policy: PolicyStatement[], decisions: readonly Decision[]): IamRequest[] =>
  decisions.flatMap(([may, ...asked]) => all(...asked).filter((request) => isAllowedBy(policy, request) !== may));

/** The stage of a role, and another stage, which the role must leave alone. */
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
  test.each(PAIRS)('of %s can change every resource of its own stage, and none of %s', (stage, other) => {
    const allowed = (target: string) =>
      resourcesOf(target)
        .filter(([action, resource, context]) => mayDeployerOf(stage, action, resource, context))
        .map(([action, resource]) => `${action} ${resource}`);
    expect(allowed(other)).toEqual([]);
    expect(allowed(stage)).toEqual(resourcesOf(stage).map(([action, resource]) => `${action} ${resource}`));
  });

  // https://github.com/aws-actions/configure-aws-credentials/issues/1888
  test.each([
    ['', ['repo:owner/name:environment:dev']],
    ['12/345', ['repo:owner/name:environment:dev', 'repo:owner@12/name@345:environment:dev']],
  ])('can be taken only by one environment of one repository, which may have the ids %j', (ids, subjects) => {
    expect(deployRole('dev', '', ids).trust).toEqual([
      {
        Effect: 'Allow',
        Principal: { Federated: 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com' },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': subjects,
          },
        },
      },
    ]);
  });

  test('has permissions on all resources only where AWS has no names for them', () => {
    const unbounded = deployRole('dev').deployer.filter(({ Resource }) => Resource === '*');
    const keysOf = ({ Condition }: PolicyStatement) => Condition && Object.values(Condition).flatMap(Object.keys);
    expect(unbounded.map((statement) => [statement.Action, keysOf(statement)])).toEqual([
      ['cloudformation:ValidateTemplate', undefined],
      ['lambda:GetAccountSettings', undefined],
      ['logs:DescribeLogGroups', undefined],
      [expect.arrayContaining(['lambda:CreateEventSourceMapping']), ['lambda:FunctionArn']],
    ]);
  });

  /** What the role of a stage may and may not do, in an account with another stage. */
  function decisionsOf(stage: string, other: string): Record<string, Decision[]> {
    const api = apiArn(API);
    const own = { 'aws:RequestTag/STAGE': stage, 'aws:TagKeys': 'STAGE' };
    const ofOther = { ...own, ...tagged(other) };
    const ofBilling = { 'aws:ResourceTag/aws:cloudformation:stack-name': `billing-${stage}` };
    const paths = ['/account', '/apis/abc123', '/domainnames/example.com', '/apikeys', '/usageplans/a1', '/vpclinks'];
    const table = arn('dynamodb', `table/${stackOf(stage)}-users`);
    const bus = arn('events', `event-bus/${stackOf(stage)}`);
    const rule = arn('events', `rule/${generatedName(stage, 'FoldEventsRuleSchedule1')}`);
    const role = roleArn(generatedName(stage, 'FoldRole'));
    const roleOfAws = roleArn('aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway');
    const makeRole = 'CreateRole PutRolePolicy PutRolePermissionsBoundary';
    const withBoundary = (of: string) => ({ 'iam:PermissionsBoundary': boundaryArn(of) });
    return {
      'cannot make itself the owner of the API of another stage': [
        [false, 'apigateway', 'PUT', tagsArn(API), own],
        [false, 'apigateway', 'PUT', tagsArn(API), ofOther],
        [false, 'apigateway', 'PUT', tagsArn(`${API}/stages/${other}`), own],
        [false, 'apigateway', 'PUT', tagsArn(`${API}/stages/${stage}`), ofOther],
        [false, 'apigateway', 'PUT', tagsArn(`${API}/stages/${stage}`), { ...own, ...ofBilling }],
        [false, 'apigateway', 'PUT', tagsArn(`${API}/stages/${stage}`), { 'aws:RequestTag/STAGE': other }],
        [false, 'apigateway', 'DELETE', tagsArn(API), { 'aws:TagKeys': 'STAGE' }],
        [false, 'apigateway', 'POST', apiArn(`${API}/stages`), ofOther],
        [false, 'apigateway', 'PATCH', api, ofOther],
      ],
      'makes no API with the tag of another stage, or without a tag': [
        [true, 'apigateway', 'POST', apiArn('/restapis'), { 'aws:RequestTag/STAGE': stage }],
        [false, 'apigateway', 'POST', apiArn('/restapis'), { 'aws:RequestTag/STAGE': other }],
        [false, 'apigateway', 'POST', apiArn('/restapis')],
      ],
      'leaves the APIs of other services alone, with the same tag and without one': [
        [false, 'apigateway', 'PATCH', api],
        [false, 'apigateway', 'PATCH', api, { ...tagged(stage), ...ofBilling }],
        // API Gateway does not always tell the name of the stack.
        [true, 'apigateway', 'PATCH', api, { 'aws:ResourceTag/STAGE': stage }],
      ],
      'has no other API, domain, key or account setting of API Gateway': [
        [false, 'apigateway', 'PATCH', paths.map(apiArn), tagged(stage)],
      ],
      'neither reads the users, nor shows them to others': [
        [false, 'dynamodb', 'Scan Query GetItem PutItem PutResourcePolicy', table],
        [false, 'dynamodb', 'ExportTableToPointInTime EnableKinesisStreamingDestination', table],
        [false, 'dynamodb', 'PutResourcePolicy', `${table}/stream/2026`],
      ],
      'neither puts events on the bus of its stage, nor lets others': [
        [true, 'events', 'DescribeEventBus', bus],
        [false, 'events', 'PutEvents PutPermission RemovePermission', bus],
      ],
      'makes no rule for events of others, nor one that sends them to others': [
        [true, 'events', 'PutRule', rule],
        [false, 'events', 'PutRule', rule, { 'events:source': 'aws.s3' }],
        [false, 'events', 'PutRule', rule, { 'events:detail-type': 'AWS API Call via CloudTrail' }],
        [true, 'events', 'PutTargets', rule, { 'events:TargetArn': arn('lambda', `function:${stackOf(stage)}-fold`) }],
        [false, 'events', 'PutTargets', rule, { 'events:TargetArn': arn('lambda', `function:${stackOf(other)}-fold`) }],
        [false, 'events', 'PutTargets', rule, { 'events:TargetArn': arn('sqs', 'somewhere') }],
      ],
      'makes roles only within the boundary of its stage': [
        [true, 'iam', makeRole, role, withBoundary(stage)],
        [false, 'iam', makeRole, role, withBoundary(other)],
        [false, 'iam', makeRole, role],
      ],
      'changes neither boundaries, nor policies, nor who may assume a role': [
        [false, 'iam', 'DeleteRolePermissionsBoundary AttachRolePolicy', role, withBoundary(stage)],
        [false, 'iam', 'UpdateAssumeRolePolicy UpdateRole', role, withBoundary(stage)],
        [false, 'iam', 'CreatePolicyVersion SetDefaultPolicyVersion', boundaryArn(stage), withBoundary(stage)],
        [false, 'iam', 'DeletePolicy', boundaryArn(stage), withBoundary(stage)],
      ],
      'has no power over the roles for deployments, and gives roles only to Lambda': [
        [false, 'iam', 'DeleteRole', roleArn(`user-management-deploy-${stage}-Role-1A2B3C`)],
        [false, 'iam', 'PassRole', role, { 'iam:PassedToService': 'ec2.amazonaws.com' }],
        [false, 'iam', 'PassRole', role],
      ],
      'makes a service-linked role only for API Gateway: the first API of an account needs it': [
        [true, 'iam', 'CreateServiceLinkedRole', roleOfAws, { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' }],
        [false, 'iam', 'CreateServiceLinkedRole', roleOfAws, { 'iam:AWSServiceName': 'ecs.amazonaws.com' }],
      ],
    };
  }

  describe.each(PAIRS)('of %s, next to %s,', (stage, other) => {
    test.each(Object.entries(decisionsOf(stage, other)))('%s', (_, decisions) => {
      expect(wronglyDecided(deployRole(stage).deployer, decisions)).toEqual([]);
    });
  });

  test.each(['d', 'dev', 'dev2', 'prod', 'abcdefgh'])('of %s allows the requests of the framework itself', (stage) => {
    expect(new RegExp(parametersOfRole().Stage.AllowedPattern).test(stage)).toBe(true);
    expect(ownRequests(stage).filter((request) => !isAllowedBy(deployRole(stage).deployer, request))).toEqual([]);
  });

  test('is refused for a stage whose resources could have names that it does not know, or names of others', () => {
    const pattern = new RegExp(parametersOfRole().Stage.AllowedPattern);
    for (const stage of ['', 'production', 'Dev', 'dev-eu', 'dev_1', 'de*', 'd?v', '${*}', 'deploy', 'dev\n'])
      expect(pattern.test(stage), stage).toBe(false);
    // Why nine characters are too many: CloudFormation cuts the name of the bucket.
    expect(bucketName('stagename')).toMatch(/^user-management-stagenam-/);
  });
});

describe('the boundary of the functions of a stage', () => {
  const users = (stage: string) => arn('dynamodb', `table/${stackOf(stage)}-users`);
  const bus = (stage: string) => arn('events', `event-bus/${stackOf(stage)}`);
  const logs = arn('logs', 'log-group:/aws/lambda/user-management-dev-fold:log-stream:a1');
  const from = (name: string) => ({ 'lambda:SourceFunctionArn': arn('lambda', `function:user-management-${name}`) });

  const DATA = 'GetItem Query PutItem UpdateItem DeleteItem BatchGetItem BatchWriteItem PartiQLInsert PartiQLUpdate';
  const STREAM = 'DescribeStream GetRecords GetShardIterator ListStreams';

  const DECISIONS: Record<string, Decision[]> = {
    'lets only a running function of the stage use its tables': [
      [true, 'dynamodb', DATA, [users('dev'), `${users('dev')}/index/byName`], from('dev-fold')],
      [false, 'dynamodb', DATA, users('dev'), from('dev2-fold')],
      [false, 'dynamodb', DATA, users('dev2'), from('dev-fold')],
      // No function: a role that another account assumes.
      [false, 'dynamodb', DATA, users('dev')],
    ],
    'lets only a running function of the stage put events, and only on the bus of the stage': [
      [true, 'events', 'PutEvents', bus('dev'), from('dev-sendEvents')],
      [false, 'events', 'PutEvents', bus('dev2'), from('dev-sendEvents')],
      [false, 'events', 'PutEvents', bus('dev'), from('dev2-sendEvents')],
      [false, 'events', 'PutEvents', bus('dev')],
    ],
    'lets only a running function of the stage write logs': [
      [true, 'logs', 'PutLogEvents', logs, from('dev-fold')],
      [false, 'logs', 'PutLogEvents', logs],
    ],
    'lets Lambda read the stream, which it does outside of a function': [
      [true, 'dynamodb', STREAM, `${users('dev')}/stream/2026`],
      [false, 'dynamodb', STREAM, [users('dev2'), `${users('dev2')}/stream/2026`]],
    ],
  };

  test.each(Object.entries(DECISIONS))('%s', (_, decisions) => {
    expect(wronglyDecided(deployRole('dev').boundary, decisions)).toEqual([]);
  });

  test('has exactly the actions that functions use', () => {
    const bounded = deployRole('dev').boundary.flatMap(({ Action }) => Action);
    const asked = Object.keys(LISTINGS).flatMap((name) => grantsOf(name, PERMISSION_WORDS));
    const ofTables = asked
      .filter((grant) => grant !== 'PutEvents bus')
      .map((grant) => `dynamodb:${grant.split(' ')[0]}`);
    const others = ['events:PutEvents', 'logs:CreateLogStream', 'logs:PutLogEvents'];
    const ofTracing = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
    expect(bounded.toSorted()).toEqual([...new Set(ofTables), ...others, ...ofTracing].sort());
  });
});

describe('the key that encrypts the tables of a stage', () => {
  const via = (service: string) => ({ 'kms:ViaService': `${service}.eu-central-1.amazonaws.com` });
  const other = KMS_KEY.replace('1234abcd', '5678abcd');

  test.each([
    ['its functions', 'boundary', KEY_USES],
    ['its deployments', 'deployer', `CreateGrant ${KEY_USES}`],
  ] as const)('is used by %s only through DynamoDB, and no other key is used', (_, who, uses) => {
    const decisions: Decision[] = [
      [true, 'kms', uses, KMS_KEY, via('dynamodb')],
      [false, 'kms', uses, KMS_KEY],
      [false, 'kms', uses, KMS_KEY, via('s3')],
      [false, 'kms', uses, other, via('dynamodb')],
      [false, 'kms', 'PutKeyPolicy ScheduleKeyDeletion DisableKey', KMS_KEY, via('dynamodb')],
    ];
    expect(wronglyDecided(deployRole('dev', KMS_KEY)[who], decisions)).toEqual([]);
  });

  test('lets functions make no grants; a stage without a key has no permissions for any key', () => {
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
