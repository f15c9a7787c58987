import { ofType, type Resources } from './resource.ts';

/** Responses of API Gateway that are made at the same time. */
const AT_ONCE = 4;

/**
 * Has API Gateway's own responses made in `AT_ONCE` rows, each one after the other. If all are made at the same time, AWS throttles it, which
 * fails a deployment: https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1095
 */
export function makeInRows(resources: Resources): void {
  const responses = ofType(resources, 'ApiGateway::GatewayResponse');
  for (const [i, [, response]] of responses.slice(AT_ONCE).entries()) response.DependsOn = responses[i]?.[0] ?? [];
}

/**
 * Points the stage of api.yml to the snapshot of the API that a deployment makes. The framework lets the snapshot make the stage, which
 * CloudFormation refuses as soon as there is a stage with settings: https://github.com/serverless/serverless/issues/1761. A snapshot
 * has API Gateway's own responses, so it comes after them. The framework gives it a new name each time.
 */
export function pointStage(compiled: Resources, { ApiStage, ...own }: Resources): void {
  const responses = ofType(own, 'ApiGateway::GatewayResponse').map(([id]) => id);
  const [[id, snapshot] = []] = ofType(compiled, 'ApiGateway::Deployment');
  if (!id || !snapshot || !ApiStage)
    throw new Error('The framework no longer makes a deployment of the API as this plugin expects');
  snapshot.DependsOn = [...[snapshot.DependsOn ?? []].flat(), ...responses];
  delete snapshot.Properties.StageName;
  ApiStage.Properties.DeploymentId = { Ref: id };
}

export function leaveOutAccessLog(resources: Resources): void {
  delete resources.AccessLogGroup;
  delete resources.ApiStage?.Properties.AccessLogSetting;
}

/** The headers of these errors that scripts may read. */
const EXPOSED = 'Retry-After, WWW-Authenticate';

/**
 * Lets scripts of other origins read the errors that API Gateway makes, such as 401. Its responses cannot choose from a
 * list of origins. They contain no user data, so every origin may read them if some origin may call the API.
 *
 * @param origins as in CORS_ORIGINS: `*`, a list, or nothing for none
 */
export function openErrors(resources: Resources, origins: string): void {
  if (origins === '') return;
  const origin = origins === '*' ? "'*'" : 'method.request.header.Origin';
  for (const [, { Properties }] of ofType(resources, 'ApiGateway::GatewayResponse')) {
    Properties.ResponseParameters = {
      ...(Properties.ResponseParameters as object | undefined),
      'gatewayresponse.header.Access-Control-Allow-Origin': origin,
      'gatewayresponse.header.Access-Control-Expose-Headers': `'${EXPOSED}'`,
    };
  }
}

/** Keeps the log groups when the stack is deleted: questions come later, too. */
export function keepLogs(resources: Resources): void {
  for (const [, group] of ofType(resources, 'Logs::LogGroup'))
    Object.assign(group, { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
}
