import type { Permission } from './permissions.ts';

export const roleLogicalId = (functionName: string): string =>
  `${functionName.charAt(0).toUpperCase()}${functionName.slice(1)}Role`;

/** Only the function's own log group. `:*` stands for the streams in it. The framework creates the group. */
const writeLogs = (lambdaName: string) => ({
  Effect: 'Allow',
  Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  Resource: [
    {
      'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${lambdaName}:*`,
    },
  ],
});

/** X-Ray has no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
const WRITE_TRACES = {
  Effect: 'Allow',
  Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  Resource: '*',
};

/**
 * The role of one function: its permissions, its logs and its traces.
 *
 * @param boundary the ARN of a permissions boundary, such as the one in docs/deploy-role.yml; empty for none
 */
export const functionRole = (lambdaName: string, permissions: readonly Permission[], boundary: string) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    ...(boundary !== '' && { PermissionsBoundary: boundary }),
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      {
        PolicyName: lambdaName,
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            ...permissions.map((permission) => ({ Effect: 'Allow', ...permission })),
            writeLogs(lambdaName),
            WRITE_TRACES,
          ],
        },
      },
    ],
  },
});
