import { accessLogSetting } from './logs.ts';
import type { Resource } from './resource.ts';

/**
 * Sets the throttling, for which the framework has no setting. The deployment of the API needs API Gateway's own responses,
 * so it must depend on them. The framework gives it a new name each time.
 */
export function describeApiStage(
  compiled: Record<string, Resource>,
  own: Record<string, Resource>,
  { requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
  { hasAccessLog, isMonitored }: { hasAccessLog: boolean; isMonitored: boolean },
): void {
  const responses = Object.entries(own).flatMap(([id, { Type }]) =>
    Type === 'AWS::ApiGateway::GatewayResponse' ? id : [],
  );
  for (const resource of Object.values(compiled)) {
    if (resource.Type !== 'AWS::ApiGateway::Deployment') continue;
    resource.DependsOn = [...[resource.DependsOn ?? []].flat(), ...responses];
    resource.Properties.StageDescription = {
      ThrottlingRateLimit: Number(requestsPerSecond),
      ThrottlingBurstLimit: Number(burst),
      // The metrics of each method, which cost money, and which only an alarm needs. Those of the stage are always there.
      MetricsEnabled: isMonitored,
      TracingEnabled: true,
      ...(hasAccessLog && { AccessLogSetting: accessLogSetting() }),
    };
  }
}
