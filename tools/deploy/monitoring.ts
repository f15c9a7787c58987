import type { Resources } from './resource.ts';

/** The alarm of requests that fail, as CloudWatch names it. */
export const faultsAlarm = (stack: string): string => `${stack}-faults`;

/** The types of resources that only stages with monitoring have. */
const TYPES = ['AWS::SNS::Topic', 'AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'];

interface DashboardBody {
  widgets: { properties: { title: string } }[];
}

/** A dashboard is one text. It has no logs of functions that a stage lacks, and without events no alarm and no widget of them. */
function textOf({ widgets }: DashboardBody, functions: readonly string[], hasEvents: boolean): string {
  const shown = widgets.filter(({ properties }) => hasEvents || !/\bevents?\b/i.test(properties.title));
  const ifThere = (source: string, name: string) => (functions.includes(name) ? source : '');
  const text = JSON.stringify({ widgets: shown }).replaceAll(/SOURCE '[^']*-(\w+)' \| /g, ifThere);
  return hasEvents ? text : text.replace(',"${EventsAlarm.Arn}"', '');
}

export interface MonitoringSettings {
  isMonitored: boolean;
  hasDashboard: boolean;
  /** The e-mail address that gets the alarms; empty for none. */
  email: string;
  functions: readonly string[];
}

/** Fits the resources of monitoring.yml to a stage. */
export function fitMonitoring(
  resources: Resources,
  { isMonitored, hasDashboard, email, functions }: MonitoringSettings,
): void {
  const hasEvents = functions.includes('sendEvents');
  for (const [id, { Type }] of Object.entries(resources))
    if (!isMonitored && TYPES.includes(Type)) delete resources[id];
  if (!hasEvents) delete resources.EventsAlarm;
  if (!hasDashboard) delete resources.Dashboard;
  const { AlarmTopic, Dashboard } = resources;
  if (AlarmTopic && email === '') AlarmTopic.Properties = {};
  if (!Dashboard) return;
  const body = Dashboard.Properties.DashboardBody as DashboardBody;
  Dashboard.Properties.DashboardBody = { 'Fn::Sub': textOf(body, functions, hasEvents) };
}
