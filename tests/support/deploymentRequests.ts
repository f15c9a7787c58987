import { ACCOUNT, boundaryArn, PARTITION, REGION } from './deployRole.ts';
import type { IamRequest } from './iam.ts';
import type { Resource } from './template.ts';

/**
 * The requests that a deployment sends to AWS with the role for deployments. CloudFormation sends some for each resource of a
 * template, to make, read, change and delete it. The framework sends others itself. The actions come from the schemas of the
 * resource types, without the actions for settings that this service does not use.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-type-schemas.html
 */

export const stackOf = (stage: string): string => `user-management-${stage}`;

export const arn = (service: string, resource: string): string =>
  `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** An ARN of API Gateway, which has no account. */
export const apiArn = (path: string): string => `arn:${PARTITION}:apigateway:${REGION}::${path}`;

export const tagsArn = (path: string): string => apiArn(`/tags/${encodeURIComponent(apiArn(path))}`);

export const bucketArn = (bucket: string): string => `arn:${PARTITION}:s3:::${bucket}`;

export const roleArn = (role: string): string => `arn:${PARTITION}:iam::${ACCOUNT}:role/${role}`;

/** The tags of a resource in the stack of a stage. */
export const tagged = (stage: string): Record<string, string> => ({
  'aws:ResourceTag/STAGE': stage,
  'aws:ResourceTag/aws:cloudformation:stack-name': stackOf(stage),
});

/** A name that CloudFormation chooses begins with so many characters of the stack's name, and as many of the resource's. */
const KEPT = 24;

/** The name that CloudFormation gives to a resource without a name in the template. */
export const generatedName = (stage: string, logicalId: string): string =>
  `${stackOf(stage).slice(0, KEPT)}-${logicalId.slice(0, KEPT)}-1A2B3C4D5E6F`;

export const bucketName = (stage: string): string => generatedName(stage, 'ServerlessDeploymentBucket').toLowerCase();

/** A request for each action on each resource. */
export const all = (service: string, actions: string, resources: string | string[], context = {}): IamRequest[] =>
  actions
    .split(' ')
    .flatMap((action) => [resources].flat().map((resource) => ({ action: `${service}:${action}`, resource, context })));

interface Made extends Resource {
  stage: string;
  logicalId: string;
}

const API = '/restapis/abc123';

const ofApi = (stage: string, actions: string, path: string): IamRequest[] =>
  all('apigateway', actions, apiArn(`${API}${path}`), tagged(stage));

const functionArn = (stage: string, name: string): string => arn('lambda', `function:${stackOf(stage)}-${name}`);

/** The function that a resource belongs to. No policy depends on which one it is. */
const someFunction = (stage: string): string => functionArn(stage, 'fold');

/** The context of a request that DynamoDB sends to KMS for its caller. */
export const VIA_DYNAMODB = { 'kms:ViaService': `dynamodb.${REGION}.amazonaws.com` };

/** What DynamoDB asks of KMS with the permissions of whoever makes a table with this key. */
const usesOfKey = (key: string | undefined): IamRequest[] =>
  key === undefined ? [] : all('kms', 'CreateGrant DescribeKey Encrypt Decrypt GenerateDataKey', key, VIA_DYNAMODB);

const REQUESTS: Record<string, (made: Made) => IamRequest[]> = {
  'AWS::ApiGateway::RestApi': ({ stage }) => [
    ...all('apigateway', 'POST', apiArn('/restapis'), { 'aws:RequestTag/STAGE': stage }),
    ...all('apigateway', 'UpdateRestApiPolicy', apiArn('/restapis')),
    { action: 'apigateway:PUT', resource: `${tagsArn('/restapis/')}*`, context: { 'aws:RequestTag/STAGE': stage } },
    ...ofApi(stage, 'GET PATCH DELETE UpdateRestApiPolicy', ''),
    ...all('apigateway', 'GET', tagsArn(API)),
  ],
  'AWS::ApiGateway::Resource': ({ stage }) => ofApi(stage, 'POST GET PATCH DELETE', '/resources/a1'),
  'AWS::ApiGateway::Method': ({ stage }) => [
    ...ofApi(stage, 'PUT GET DELETE', '/resources/a1/methods/GET'),
    ...ofApi(stage, 'PUT GET DELETE', '/resources/a1/methods/GET/integration'),
  ],
  'AWS::ApiGateway::Authorizer': ({ stage }) => [
    ...ofApi(stage, 'POST', '/authorizers'),
    ...ofApi(stage, 'GET PATCH DELETE', '/authorizers/a1'),
  ],
  'AWS::ApiGateway::GatewayResponse': ({ stage }) => ofApi(stage, 'PUT GET DELETE', '/gatewayresponses/DEFAULT_4XX'),
  'AWS::ApiGateway::Deployment': ({ stage }) => [
    ...ofApi(stage, 'POST GET', '/deployments'),
    ...ofApi(stage, 'GET PATCH DELETE', '/deployments/a1'),
  ],
  'AWS::ApiGateway::Stage': ({ stage }) => [
    ...ofApi(stage, 'POST', '/stages'),
    ...ofApi(stage, 'GET PATCH DELETE', `/stages/${stage}`),
    ...all('apigateway', 'PUT', tagsArn(`${API}/stages/${stage}`), { 'aws:RequestTag/STAGE': stage }),
    ...all('apigateway', 'GET', tagsArn(`${API}/stages/${stage}`)),
  ],
  'AWS::ApiGateway::BasePathMapping': ({ Properties: { DomainName } }) => [
    ...all('apigateway', 'POST', apiArn(`/domainnames/${DomainName}/basepathmappings`)),
    ...all('apigateway', 'GET PATCH DELETE', apiArn(`/domainnames/${DomainName}/basepathmappings/(none)`)),
  ],
  'AWS::Lambda::Function': ({ stage, Properties: { FunctionName } }) => [
    ...all(
      'lambda',
      'CreateFunction GetFunction UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction TagResource UntagResource ' +
        'PutFunctionConcurrency DeleteFunctionConcurrency GetFunctionCodeSigningConfig GetRuntimeManagementConfig GetFunctionRecursionConfig',
      arn('lambda', `function:${FunctionName}`),
    ),
    ...all('iam', 'PassRole', roleArn(generatedName(stage, 'ListUsersRole')), {
      'iam:PassedToService': 'lambda.amazonaws.com',
    }),
    ...all('s3', 'GetObject GetObjectVersion', bucketArn(`${bucketName(stage)}/serverless/fold.zip`)),
  ],
  'AWS::Lambda::Permission': ({ stage }) =>
    all('lambda', 'AddPermission RemovePermission GetPolicy', someFunction(stage)),
  'AWS::Lambda::EventSourceMapping': ({ stage }) => [
    ...all('lambda', 'CreateEventSourceMapping', '*', { 'lambda:FunctionArn': someFunction(stage) }),
    ...all('lambda', 'TagResource', arn('lambda', 'event-source-mapping:*'), { 'aws:RequestTag/STAGE': stage }),
    ...all(
      'lambda',
      'GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping',
      arn('lambda', 'event-source-mapping:a1-b2'),
      { 'lambda:FunctionArn': someFunction(stage) },
    ),
    ...all('lambda', 'ListTags TagResource UntagResource', arn('lambda', 'event-source-mapping:a1-b2'), tagged(stage)),
  ],
  'AWS::IAM::Role': ({ stage, logicalId }) => [
    ...all('iam', 'CreateRole PutRolePolicy PutRolePermissionsBoundary', roleArn(generatedName(stage, logicalId)), {
      'iam:PermissionsBoundary': boundaryArn(stage),
    }),
    ...all(
      'iam',
      'GetRole GetRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole DeleteRolePolicy DeleteRole',
      roleArn(generatedName(stage, logicalId)),
    ),
  ],
  'AWS::DynamoDB::Table': ({ Properties: { TableName, SSESpecification } }) => [
    ...all(
      'dynamodb',
      'CreateTable DescribeTable UpdateTable DeleteTable DescribeTimeToLive UpdateTimeToLive DescribeContinuousBackups ' +
        'UpdateContinuousBackups DescribeContributorInsights UpdateContributorInsights DescribeKinesisStreamingDestination ' +
        'GetResourcePolicy ListTagsOfResource TagResource UntagResource',
      arn('dynamodb', `table/${TableName}`),
    ),
    ...usesOfKey((SSESpecification as { KMSMasterKeyId?: string }).KMSMasterKeyId),
  ],
  'AWS::Logs::LogGroup': ({ Properties: { LogGroupName } }) => [
    // Some actions take the ARN with an asterisk at its end, and some without.
    ...all(
      'logs',
      'CreateLogGroup DeleteLogGroup PutRetentionPolicy DeleteRetentionPolicy TagResource UntagResource ListTagsForResource GetDataProtectionPolicy',
      [arn('logs', `log-group:${LogGroupName}`), arn('logs', `log-group:${LogGroupName}:*`)],
    ),
    ...all('logs', 'DescribeLogGroups', arn('logs', 'log-group::log-stream:')),
  ],
  'AWS::CloudWatch::Alarm': ({ Properties: { AlarmName } }) =>
    all(
      'cloudwatch',
      'PutMetricAlarm DescribeAlarms DeleteAlarms TagResource UntagResource ListTagsForResource',
      arn('cloudwatch', `alarm:${AlarmName}`),
    ),
  'AWS::CloudWatch::Dashboard': ({ Properties: { DashboardName } }) =>
    all(
      'cloudwatch',
      'PutDashboard GetDashboard DeleteDashboards TagResource UntagResource ListTagsForResource',
      `arn:${PARTITION}:cloudwatch::${ACCOUNT}:dashboard/${DashboardName}`,
    ),
  'AWS::SNS::Topic': ({ stage, logicalId }) =>
    all(
      'sns',
      'CreateTopic GetTopicAttributes SetTopicAttributes DeleteTopic Subscribe ListSubscriptionsByTopic TagResource UntagResource ' +
        'ListTagsForResource GetDataProtectionPolicy',
      arn('sns', generatedName(stage, logicalId)),
    ),
  'AWS::Events::Rule': ({ stage, logicalId, Properties: { EventPattern } }) => {
    const rule = arn('events', `rule/${generatedName(stage, logicalId)}`);
    if (EventPattern !== undefined) throw new Error('The requests of a rule with a pattern are not written yet');
    return [
      ...all('events', 'PutRule DescribeRule DeleteRule RemoveTargets ListTargetsByRule', rule),
      ...all('events', 'TagResource UntagResource ListTagsForResource', rule),
      ...all('events', 'PutTargets', rule, { 'events:TargetArn': someFunction(stage) }),
    ];
  },
  'AWS::Events::EventBus': ({ Properties: { Name } }) =>
    all(
      'events',
      'CreateEventBus DescribeEventBus UpdateEventBus DeleteEventBus TagResource UntagResource ListTagsForResource',
      arn('events', `event-bus/${Name}`),
    ),
  'AWS::S3::Bucket': ({ stage }) =>
    all(
      's3',
      'CreateBucket DeleteBucket ListBucket PutEncryptionConfiguration GetEncryptionConfiguration PutBucketTagging GetBucketTagging',
      bucketArn(bucketName(stage)),
    ),
  'AWS::S3::BucketPolicy': ({ stage }) =>
    all('s3', 'PutBucketPolicy GetBucketPolicy DeleteBucketPolicy', bucketArn(bucketName(stage))),
};

/** The requests of CloudFormation for one resource of a stage's template. */
export function requestsFor(stage: string, logicalId: string, resource: Resource): IamRequest[] {
  const requests = REQUESTS[resource.Type];
  if (!requests) throw new Error(`REQUESTS in tests/support/deploymentRequests.ts has no ${resource.Type}`);
  return requests({ ...resource, stage, logicalId });
}

/** The requests of the framework and of tools/deploy. */
export const ownRequests = (stage: string): IamRequest[] => [
  ...all(
    'cloudformation',
    'DescribeStacks DescribeStackResource DescribeStackEvents ListStackResources GetTemplate CreateChangeSet DescribeChangeSet ' +
      'ExecuteChangeSet DeleteChangeSet CreateStack UpdateStack DeleteStack TagResource',
    arn('cloudformation', `stack/${stackOf(stage)}/a1-b2`),
  ),
  ...all('cloudformation', 'ValidateTemplate', '*'),
  ...all('s3', 'ListBucket ListBucketVersions', bucketArn(bucketName(stage))),
  ...all(
    's3',
    'PutObject GetObject DeleteObject DeleteObjectVersion',
    bucketArn(`${bucketName(stage)}/serverless/state.json`),
  ),
  ...all('lambda', 'GetFunction GetFunctionConcurrency', someFunction(stage)),
  ...all('lambda', 'GetAccountSettings', '*'),
  ...all('apigateway', 'GET', apiArn('/account')),
  ...ofApi(stage, 'GET', `/stages/${stage}`),
  ...all(
    'dynamodb',
    'DescribeTable UpdateTable UpdateContinuousBackups UpdateTimeToLive',
    arn('dynamodb', `table/${stackOf(stage)}-users`),
  ),
  {
    action: 'iam:CreateServiceLinkedRole',
    resource: roleArn('aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway'),
    context: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' },
  },
];
