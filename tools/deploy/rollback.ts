/**
 * A deployment that makes requests fail is rolled back: CloudFormation watches the alarm of faults while it updates a stack,
 * and for some minutes after.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html
 */
import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import type { ClientConfig } from './existing.ts';

/** As CloudFormation has it. It keeps the triggers of the last deployment, unless a deployment has its own. */
export interface RollbackConfiguration {
  RollbackTriggers: { Arn: string; Type: 'AWS::CloudWatch::Alarm' }[];
  MonitoringTimeInMinutes: number;
}

export const WATCH_NOTHING: RollbackConfiguration = { RollbackTriggers: [], MonitoringTimeInMinutes: 0 };

/**
 * The alarm that CloudFormation watches. Nothing at the first deployment, which makes the alarm: CloudFormation fails if a trigger is
 * missing. Nothing, too, if the alarm is on already: the deployment that repairs the stage would be rolled back.
 *
 * @param minutes for how long after the deployment. The deployment itself is always watched
 */
export async function rollbackOn(
  config: ClientConfig,
  alarm: string,
  minutes: number,
  tell: (message: string) => void,
): Promise<RollbackConfiguration> {
  const asked = new DescribeAlarmsCommand({ AlarmNames: [alarm] });
  const [found] = (await new CloudWatchClient(config).send(asked)).MetricAlarms ?? [];
  if (!found?.AlarmArn) return WATCH_NOTHING;
  if (found.StateValue === 'ALARM') {
    tell(`The alarm ${alarm} is on already, so faults do not roll this deployment back.`);
    return WATCH_NOTHING;
  }
  const trigger = { Arn: found.AlarmArn, Type: 'AWS::CloudWatch::Alarm' } as const;
  return { RollbackTriggers: [trigger], MonitoringTimeInMinutes: minutes };
}
