import { accessLogSetting } from './logs.ts';
import type { Resource } from './resource.ts';

/** The logical id of the API's stage. */
export const API_STAGE = 'ApiStage';

export interface StageSettings {
  requestsPerSecond: number;
  burst: number;
  hasAccessLog: boolean;
}

const stageOf = (
  name: string,
  deployment: string,
  { requestsPerSecond, burst, hasAccessLog }: StageSettings,
): Resource => ({
  Type: 'AWS::ApiGateway::Stage',
  Properties: {
    StageName: name,
    RestApiId: { Ref: 'ApiGatewayRestApi' },
    DeploymentId: { Ref: deployment },
    TracingEnabled: true,
    MethodSettings: [
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: Number(requestsPerSecond),
        ThrottlingBurstLimit: Number(burst),
        // The metrics of each method cost some 18 dollars a month. Those of the stage are free.
        MetricsEnabled: false,
      },
    ],
    ...(hasAccessLog && { AccessLogSetting: accessLogSetting() }),
  },
});

/**
 * Makes the stage of the API a resource of its own, which every deployment points to its snapshot of the API, and every rollback
 * points back. The framework lets the snapshot make the stage, which CloudFormation refuses as soon as there is a stage with
 * settings: https://github.com/serverless/serverless/issues/1761. A snapshot has API Gateway's own responses, so it comes after them.
 * The framework gives it a new name each time.
 */
export function separateStage(
  compiled: Record<string, Resource>,
  own: Record<string, Resource>,
  name: string,
  settings: StageSettings,
): void {
  const responses = Object.keys(own).filter((id) => own[id]?.Type === 'AWS::ApiGateway::GatewayResponse');
  const [id, deployment] =
    Object.entries(compiled).find(([, { Type }]) => Type === 'AWS::ApiGateway::Deployment') ?? [];
  if (!id || !deployment)
    throw new Error('The framework no longer makes a deployment of the API as this plugin expects');
  deployment.DependsOn = [...[deployment.DependsOn ?? []].flat(), ...responses];
  delete deployment.Properties.StageName;
  compiled[API_STAGE] = stageOf(name, id, settings);
}
