import type { Permission } from './permissions.ts';

export const roleLogicalId = (functionName: string): string =>
  `${functionName.charAt(0).toUpperCase()}${functionName.slice(1)}Role`;

/** Only the function's own log group. `:*` stands for the streams in it. The framework creates the group. */
function writeLogs(lambdaName: string): Permission {
  const group = `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/aws/lambda/${lambdaName}`;
  return { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: [{ 'Fn::Sub': `${group}:*` }] };
}

/** X-Ray has no resources: https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsx-ray.html */
export const WRITE_TRACES = { Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], Resource: ['*'] };

const policyOf = (...statements: object[]) => ({
  Version: '2012-10-17',
  Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })),
});

/**
 * The role of one function: its permissions, and its logs.
 *
 * @param boundary the ARN of a permissions boundary, such as the one in tools/deploy/stacks/deploy-role.yml; empty for none
 */
export function functionRole(lambdaName: string, permissions: readonly Permission[], boundary: string) {
  const PolicyDocument = policyOf(...permissions, writeLogs(lambdaName));
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      ...(boundary !== '' && { PermissionsBoundary: boundary }),
      AssumeRolePolicyDocument: policyOf({ Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }),
      Policies: [{ PolicyName: lambdaName, PolicyDocument }],
    },
  };
}
