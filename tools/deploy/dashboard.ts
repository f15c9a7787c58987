import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import { METRICS_NAMESPACE } from '../../lib/log.ts';
import {
  apiMetric,
  type Deployed,
  eventsMetric,
  hotPartitions,
  journalMetric,
  type Metric,
  throttles,
} from './alarms.ts';
import { AUTHORIZER } from './authentication.ts';
import { SEND_EVENTS } from './eventBus.ts';
import { UNKNOWN_ROUTE } from './events.ts';
import type { Resource } from './resource.ts';

/** The grid of a dashboard is 24 wide. */
const WIDTH = 12;
const HEIGHT = 6;

type Widget = { type: string; properties: Record<string, unknown> };

/** A metric in the form of a dashboard: namespace, name, pairs of dimensions, and how it is shown. */
const line = ({ Namespace, MetricName, Dimensions }: Metric, label: string, stat: string) => [
  Namespace,
  MetricName,
  ...Dimensions.flatMap(({ Name, Value }) => [Name, Value]),
  { label, stat },
];

const graph = (title: string, metrics: unknown[]): Widget => ({
  type: 'metric',
  properties: { title, metrics, view: 'timeSeries', region: '${AWS::Region}', period: 60 },
});

const lambdaName = ({ service, stage }: Deployed, operation: string): string => `${service}-${stage}-${operation}`;

const OPERATIONS = ROUTES.filter(needsToken).map(({ operation }) => operation);

/** All functions: any of them can fail. */
const functionsOf = ({ hasEvents }: Deployed): string[] => [
  ...ROUTES.map(({ operation }) => operation),
  'fold',
  ...(hasEvents ? [SEND_EVENTS] : []),
  AUTHORIZER,
  UNKNOWN_ROUTE,
];

/** One line per function. */
const byFunction = (
  deployed: Deployed,
  Namespace: string,
  MetricName: string,
  dimension: string,
  stat: string,
  functions: readonly string[] = OPERATIONS,
) =>
  functions.map((operation) => {
    const Dimensions = [{ Name: dimension, Value: lambdaName(deployed, operation) }];
    return line({ Namespace, MetricName, Dimensions }, operation, stat);
  });

const nameOf = ({ Dimensions }: Metric): string =>
  Dimensions.slice(1)
    .map(({ Value }) => Value)
    .join(' ') || 'directory';

const logQuery = (deployed: Deployed, title: string, query: string): Widget => ({
  type: 'log',
  properties: {
    title,
    region: '${AWS::Region}',
    view: 'table',
    query: `${functionsOf(deployed)
      .map((name) => `SOURCE '/aws/lambda/${lambdaName(deployed, name)}'`)
      .join(' | ')} | ${query}`,
  },
});

const eventWidgets = (deployed: Deployed): Widget[] => [
  graph('Age of the oldest change that is not on the event bus, in seconds', [
    line(eventsMetric(deployed, 'eventsLagSeconds'), 'oldest', 'Maximum'),
  ]),
  graph('Events per minute', [line(eventsMetric(deployed, 'sentEvents'), 'sent', 'Sum')]),
];

const widgetsOf = (deployed: Deployed, alarms: readonly string[]): Widget[] => [
  { type: 'alarm', properties: { title: 'Alarms', alarms: alarms.map((id) => `\${${id}.Arn}`) } },
  graph('Requests per minute', [
    line(apiMetric(deployed, 'Count'), 'all', 'Sum'),
    line(apiMetric(deployed, '4XXError'), '4xx', 'Sum'),
    line(apiMetric(deployed, '5XXError'), '5xx', 'Sum'),
  ]),
  graph(
    'Milliseconds in the function: the slowest hundredth',
    byFunction(deployed, METRICS_NAMESPACE, 'milliseconds', 'function', 'p99'),
  ),
  graph('Read units per request', byFunction(deployed, METRICS_NAMESPACE, 'readUnits', 'function', 'Average')),
  graph('Write units per request', byFunction(deployed, METRICS_NAMESPACE, 'writeUnits', 'function', 'Average')),
  graph('Age of the oldest journal entry, in seconds', [
    line(journalMetric(deployed, 'oldestEntrySeconds'), 'oldest', 'Maximum'),
  ]),
  graph('Entries of the journal', [line(journalMetric(deployed, 'journalEntries'), 'left by a run', 'Maximum')]),
  graph('Entries folded per minute', [line(journalMetric(deployed, 'foldedEntries'), 'folded', 'Sum')]),
  graph('Write units of the fold per minute', [line(journalMetric(deployed, 'writeUnits'), 'written', 'Sum')]),
  ...(deployed.hasEvents ? eventWidgets(deployed) : []),
  graph(
    'Read units per minute of what may be one partition (180,000 at most)',
    hotPartitions(deployed, 'ConsumedReadCapacityUnits').map((metric) => line(metric, nameOf(metric), 'Sum')),
  ),
  graph(
    'Write units per minute of what may be one partition (60,000 at most)',
    hotPartitions(deployed, 'ConsumedWriteCapacityUnits').map((metric) => line(metric, nameOf(metric), 'Sum')),
  ),
  graph(
    'Requests that DynamoDB throttled',
    throttles(deployed).map((metric) => line(metric, `${metric.Dimensions[0]?.Value} ${nameOf(metric)}`, 'Sum')),
  ),
  graph(
    'Concurrent functions',
    byFunction(deployed, 'AWS/Lambda', 'ConcurrentExecutions', 'FunctionName', 'Maximum', functionsOf(deployed)),
  ),
  graph(
    'Calls that Lambda throttled',
    byFunction(deployed, 'AWS/Lambda', 'Throttles', 'FunctionName', 'Sum', functionsOf(deployed)),
  ),
  logQuery(
    deployed,
    'Plans by cost',
    'filter level = "info" | stats count(*) as requests, avg(readUnits) as average, max(readUnits) as highest by route, plan | sort highest desc | limit 20',
  ),
  logQuery(
    deployed,
    'Faults',
    'filter level = "error" | fields @timestamp, message, requestId | sort @timestamp desc | limit 20',
  ),
];

/** The dashboard of a stage, with two widgets per row. */
export function dashboardOf(deployed: Deployed, alarms: readonly string[]): Resource {
  const widgets = widgetsOf(deployed, alarms).map((widget, i) => ({
    ...widget,
    x: (i % 2) * WIDTH,
    y: Math.floor(i / 2) * HEIGHT,
    width: WIDTH,
    height: HEIGHT,
  }));
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: `${deployed.service}-${deployed.stage}`,
      DashboardBody: { 'Fn::Sub': JSON.stringify({ widgets }) },
    },
  };
}
