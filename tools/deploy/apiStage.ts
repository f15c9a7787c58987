import { ofType, type Resources } from './resource.ts';

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

/** Keeps the log groups when the stack is deleted: questions come later, too. */
export function keepLogs(resources: Resources): void {
  for (const [, group] of ofType(resources, 'Logs::LogGroup'))
    Object.assign(group, { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
}
