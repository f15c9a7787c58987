import type { Resources } from './resource.ts';

/** The alarm of requests that fail, as CloudWatch names it. */
export const faultsAlarm = (stack: string): string => `${stack}-faults`;

/** What only stages with monitoring have. */
const TYPES = ['AWS::SNS::Topic', 'AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'];

interface DashboardBody {
  widgets: { properties: { title: string } }[];
}

/** A dashboard is one text. A stage without events has no alarm, no widget and no log of them. */
function textOf({ widgets }: DashboardBody, hasEvents: boolean): string {
  if (hasEvents) return JSON.stringify({ widgets });
  const shown = widgets.filter(({ properties }) => !/\bevents?\b/i.test(properties.title));
  return JSON.stringify({ widgets: shown }).replaceAll(/,"\$\{EventsAlarm\.Arn\}"|SOURCE '[^']*-sendEvents' \| /g, '');
}

/** Fits the resources of monitoring.yml to a stage. */
export function fitMonitoring(
  resources: Resources,
  { isMonitored, email, hasEvents }: { isMonitored: boolean; email: string; hasEvents: boolean },
): void {
  for (const [id, { Type }] of Object.entries(resources))
    if (!isMonitored && TYPES.includes(Type)) delete resources[id];
  if (!hasEvents) delete resources.EventsAlarm;
  const { AlarmTopic, Dashboard } = resources;
  if (AlarmTopic && email === '') AlarmTopic.Properties = {};
  if (!Dashboard) return;
  const body = Dashboard.Properties.DashboardBody as DashboardBody;
  Dashboard.Properties.DashboardBody = { 'Fn::Sub': textOf(body, hasEvents) };
}
