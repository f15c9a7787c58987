import type { Resource } from './resource.ts';

/**
 * What API Gateway logs about every request, also if it reaches no function. It logs nothing that a user sent: not
 * the path, which has ids, nor the text of an error, which may quote a header.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
const FORMAT = {
  requestId: '$context.requestId',
  route: '$context.httpMethod $context.resourcePath',
  status: '$context.status',
  by: '$context.authorizer.escapedSubject',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
  authorizerStatus: '$context.authorizer.status',
  integrationStatus: '$context.integration.status',
  trace: '$context.xrayTraceId',
};

export const ACCESS_LOG = 'AccessLogGroup';

/** Not the framework's name for the group: it deletes that group when its own setting is off. */
export const accessLogGroup = (stack: string, RetentionInDays: number): Resource => ({
  Type: 'AWS::Logs::LogGroup',
  Properties: { LogGroupName: `/aws/apigateway/${stack}`, RetentionInDays },
});

/** The setting of the API's stage. */
export const accessLogSetting = () => ({
  DestinationArn: {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:\${${ACCESS_LOG}}`,
  },
  Format: JSON.stringify(FORMAT),
});

/** Keeps the log groups when the stack is deleted: questions come later, too. */
export function keepLogs(resources: Record<string, Resource>): void {
  for (const resource of Object.values(resources)) {
    if (resource.Type !== 'AWS::Logs::LogGroup') continue;
    resource.DeletionPolicy = 'RetainExceptOnCreate';
    resource.UpdateReplacePolicy = 'Retain';
  }
}
