import type { Resource } from './resource.ts';

/**
 * What API Gateway says of every request, also of those that it answers by itself. Nothing of it was sent by a user: not the
 * path, whose ids are left out, nor the text of an error, which may quote a header.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
const FORMAT = {
  requestId: '$context.requestId',
  route: '$context.httpMethod $context.resourcePath',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  error: '$context.error.responseType',
  authorizerStatus: '$context.authorizer.status',
  integrationStatus: '$context.integration.status',
  trace: '$context.xrayTraceId',
};

export const ACCESS_LOG = 'AccessLogGroup';

/** Not as the framework would call it: that group it deletes when its own setting is off. */
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

/** Lets the log groups stay when the stack goes: what happened is asked afterwards, too. */
export function keepLogs(resources: Record<string, Resource>): void {
  for (const resource of Object.values(resources)) {
    if (resource.Type !== 'AWS::Logs::LogGroup') continue;
    resource.DeletionPolicy = 'RetainExceptOnCreate';
    resource.UpdateReplacePolicy = 'Retain';
  }
}
