import { ROUTES } from '../../lib/http/routes.ts';
import type { Resources } from './resource.ts';

/** The alarm of requests that fail, as CloudWatch names it. */
export const faultsAlarm = (stack: string): string => `${stack}-faults`;

/** The types of resources that only stages with monitoring have. */
const TYPES = ['AWS::SNS::Topic', 'AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'];

interface DashboardBody {
  widgets: { properties: { title: string } }[];
}

const OF_USERS = ROUTES.filter(({ scopes }) => scopes.length > 0).map(({ operation }): string => operation);

/** A dashboard is one text. Its queries name the logs of the functions that a stage has, and without events it has no alarm and no widget of them. */
function textOf({ widgets }: DashboardBody, functions: readonly string[], lacking: readonly string[]): string {
  const hasEvents = !lacking.includes('EventsAlarm');
  const shown = widgets.filter(({ properties }) => hasEvents || !/\bevents?\b/i.test(properties.title));
  const sources = (_: string, group: string, which: string) =>
    functions
      .filter((name) => which === 'function' || OF_USERS.includes(name))
      .map((name) => `SOURCE '${group}${name}' | `)
      .join('');
  const text = JSON.stringify({ widgets: shown }).replaceAll(
    /SOURCE '([^']*)<every (function|route of users)>' \| /g,
    sources,
  );
  return lacking.reduce((rest, alarm) => rest.replace(`,"\${${alarm}.Arn}"`, ''), text);
}

export interface MonitoringSettings {
  isMonitored: boolean;
  hasDashboard: boolean;
  /** The e-mail address that gets the alarms; empty for none. */
  email: string;
  functions: readonly string[];
  /** Whether lists come from an index. */
  hasIndex: boolean;
}

/** Fits the resources of monitoring.yml to a stage. */
export function fitMonitoring(
  resources: Resources,
  { isMonitored, hasDashboard, email, functions, hasIndex }: MonitoringSettings,
): void {
  const hasEvents = functions.includes('sendEvents');
  for (const [id, { Type }] of Object.entries(resources))
    if (!isMonitored && TYPES.includes(Type)) delete resources[id];
  const lacking = [...(hasEvents ? [] : ['EventsAlarm']), ...(hasIndex ? [] : ['IndexAlarm'])];
  for (const alarm of lacking) delete resources[alarm];
  if (!hasDashboard) delete resources.Dashboard;
  const { AlarmTopic, Dashboard } = resources;
  if (AlarmTopic && email === '') AlarmTopic.Properties = {};
  if (!Dashboard) return;
  const body = Dashboard.Properties.DashboardBody as DashboardBody;
  Dashboard.Properties.DashboardBody = { 'Fn::Sub': textOf(body, functions, lacking) };
}
