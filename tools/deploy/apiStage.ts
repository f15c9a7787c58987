import type { Resource } from './resource.ts';

type Resources = Record<string, Resource>;

/**
 * Points the stage of api.yml to the snapshot of the API that a deployment makes. The framework lets the snapshot make the stage, which
 * CloudFormation refuses as soon as there is a stage with settings: https://github.com/serverless/serverless/issues/1761. A snapshot
 * has API Gateway's own responses, so it comes after them. The framework gives it a new name each time.
 */
export function pointStage(compiled: Resources, { ApiStage, ...own }: Resources): void {
  const responses = Object.keys(own).filter((id) => own[id]?.Type === 'AWS::ApiGateway::GatewayResponse');
  const [id, snapshot] = Object.entries(compiled).find(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment') ?? [];
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
  for (const resource of Object.values(resources)) {
    if (resource.Type !== 'AWS::Logs::LogGroup') continue;
    resource.DeletionPolicy = 'RetainExceptOnCreate';
    resource.UpdateReplacePolicy = 'Retain';
  }
}
