import { accessLogSetting } from './logs.ts';
import type { Resource } from './resource.ts';

/**
 * The framework has no setting for the throttling and gives the deployment, which carries the API's stage, a new name each
 * time. What API Gateway answers by itself is part of a deployment, so it has to be there before.
 */
export function describeApiStage(
  compiled: Record<string, Resource>,
  own: Record<string, Resource>,
  { requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
  hasAccessLog: boolean,
): void {
  const answers = Object.entries(own).flatMap(([id, { Type }]) =>
    Type === 'AWS::ApiGateway::GatewayResponse' ? id : [],
  );
  for (const resource of Object.values(compiled)) {
    if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
    resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...answers];
    resource.Properties.StageDescription = {
      ThrottlingRateLimit: Number(requestsPerSecond),
      ThrottlingBurstLimit: Number(burst),
      MetricsEnabled: true,
      TracingEnabled: true,
      ...(hasAccessLog && { AccessLogSetting: accessLogSetting() }),
    };
  }
}
