import { needsToken, ROUTES } from '../../lib/http/routes.ts';
import { METRICS_NAMESPACE } from '../../lib/log.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import { SEND_EVENTS } from './eventBus.ts';
import type { Resource } from './resource.ts';

/** The names in CloudWatch of what the alarms watch. */
export interface Deployed {
  service: string;
  stage: string;
  tables: { users: string; directory: string };
  /** Whether changes are sent as events. */
  hasEvents: boolean;
}

/** A CloudWatch metric of one thing. */
export interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions: { Name: string; Value: string }[];
}

const metric = (Namespace: string, MetricName: string, dimensions: Record<string, string>): Metric => ({
  Namespace,
  MetricName,
  Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
});

/** As the framework names the API. */
export const apiName = ({ service, stage }: Deployed): string => `${stage}-${service}`;

export const apiMetric = (deployed: Deployed, name: string, more: Record<string, string> = {}): Metric =>
  metric('AWS/ApiGateway', name, { ApiName: apiName(deployed), Stage: deployed.stage, ...more });

/** A stream lasts as long as a client reads, and a long past takes longer to erase: their latency says nothing. */
const UNTIMED: readonly string[] = ['listAllUsers', 'eraseUserChanges'];

const latencies = (deployed: Deployed): Metric[] =>
  ROUTES.filter((route) => needsToken(route) && !UNTIMED.includes(route.operation)).map(({ method, path }) =>
    apiMetric(deployed, 'Latency', { Method: method, Resource: path }),
  );

const functionMetric = ({ service, stage }: Deployed, functionName: string, name: string): Metric =>
  metric(METRICS_NAMESPACE, name, { function: `${service}-${stage}-${functionName}` });

/** What the fold reports about the journal after each run. */
export const journalMetric = (deployed: Deployed, name: string): Metric => functionMetric(deployed, 'fold', name);

/** What the sender of events reports after each run. */
export const eventsMetric = (deployed: Deployed, name: string): Metric => functionMetric(deployed, SEND_EVENTS, name);

/** What requests ask of both tables. The fold asks in other ways, too: the alarm of the journal tells when it is throttled. */
const OPERATIONS = ['GetItem', 'Query', 'TransactWriteItems'];

/** What is kept of changes is read from the Directory table by its keys. */
const DIRECTORY_OPERATIONS = [...OPERATIONS, 'BatchGetItem'];

export function throttles({ tables }: Deployed): Metric[] {
  const of = (TableName: string, operations: readonly string[]) =>
    operations.map((Operation) => metric('AWS/DynamoDB', 'ThrottledRequests', { TableName, Operation }));
  return [...of(tables.users, OPERATIONS), ...of(tables.directory, DIRECTORY_OPERATIONS)];
}

/**
 * The partitions that limit a stage. An index may have all users in one partition; so may an index by country, if most users
 * are from one country. The journal is one partition of the Directory table.
 */
export function hotPartitions({ tables }: Deployed, name: string): Metric[] {
  return [
    ...USERS_INDEXES.map(({ name: GlobalSecondaryIndexName }) =>
      metric('AWS/DynamoDB', name, { TableName: tables.users, GlobalSecondaryIndexName }),
    ),
    metric('AWS/DynamoDB', name, { TableName: tables.directory }),
  ];
}

/** As CloudWatch names an alarm of a stage. */
export const alarmName = ({ service, stage }: Pick<Deployed, 'service' | 'stage'>, name: string): string =>
  `${service}-${stage}-${name}`;

/** The alarm of requests that fail. */
export const FAULTS = 'faults';

interface AlarmRules {
  name: string;
  description: string;
  metrics: Metric[];
  stat: string;
  /** The expression over the metrics, in metric math. More than ten metrics have an alarm for each ten. */
  expression: string;
  /** Seconds that one data point covers. */
  period: number;
  threshold: number;
  /** How many of the last data points must be at or above the threshold. */
  points: [breaching: number, of: number];
  /** Whether missing data counts as a breach. */
  needsData?: boolean;
}

const alarm = (deployed: Deployed, rules: AlarmRules): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: alarmName(deployed, rules.name),
    AlarmDescription: `${rules.description} What to do: docs/runbook.md`,
    Metrics: [
      { Id: 'watched', Expression: rules.expression, Label: rules.name, ReturnData: true },
      ...rules.metrics.map((Metric, i) => ({
        Id: `m${i}`,
        MetricStat: { Metric, Period: rules.period, Stat: rules.stat },
        ReturnData: false,
      })),
    ],
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    Threshold: rules.threshold,
    DatapointsToAlarm: rules.points[0],
    EvaluationPeriods: rules.points[1],
    TreatMissingData: rules.needsData ? 'breaching' : 'notBreaching',
    AlarmActions: [{ Ref: 'AlarmTopic' }],
    OKActions: [{ Ref: 'AlarmTopic' }],
  },
});

/**
 * Four fifths of what one partition serves per second:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const READ_LIMIT = 0.8 * 3_000;
const WRITE_LIMIT = 0.8 * 1_000;

const PER_SECOND = 'MAX(FILL(METRICS(), 0)) / 60';

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html: no alarm takes more. */
const MAX_METRICS = 10;

/** One alarm, or several if it has many metrics. */
function alarmsFor(deployed: Deployed, id: string, { name, metrics, ...rules }: AlarmRules): [string, Resource][] {
  const parts = Array.from({ length: Math.ceil(metrics.length / MAX_METRICS) }, (_, i) =>
    metrics.slice(i * MAX_METRICS, (i + 1) * MAX_METRICS),
  );
  return parts.map((some, i) => {
    const [number, suffix] = i === 0 ? ['', ''] : [i + 1, `-${i + 1}`];
    return [`${id}${number}Alarm`, alarm(deployed, { ...rules, name: name + suffix, metrics: some })];
  });
}

const rulesOf = (deployed: Deployed): Record<string, AlarmRules> => ({
  Faults: {
    name: FAULTS,
    description: 'Five or more requests within five minutes got a 5xx response.',
    metrics: [apiMetric(deployed, '5XXError')],
    stat: 'Sum',
    expression: 'm0',
    period: 300,
    threshold: 5,
    points: [1, 1],
  },
  Slow: {
    name: 'slow',
    description: 'The slowest hundredth of the requests to one route took 3 seconds or more, for 15 minutes.',
    metrics: latencies(deployed),
    stat: 'p99',
    expression: 'MAX(FILL(METRICS(), 0))',
    period: 300,
    threshold: 3_000,
    points: [3, 3],
  },
  Throttled: {
    name: 'throttled',
    description: 'DynamoDB throttled ten or more requests within five minutes.',
    metrics: throttles(deployed),
    stat: 'Sum',
    expression: 'SUM(FILL(METRICS(), 0))',
    period: 300,
    threshold: 10,
    points: [1, 1],
  },
  Journal: {
    name: 'journal',
    description:
      'For three minutes the oldest entry of the journal was a minute old or older, or the fold did not run.',
    metrics: [journalMetric(deployed, 'oldestEntrySeconds')],
    stat: 'Maximum',
    expression: 'm0',
    period: 60,
    threshold: 60,
    points: [3, 3],
    needsData: true,
  },
  ReadCapacity: {
    name: 'read-capacity',
    description: 'A partition is near its limit of 3,000 read units per second.',
    metrics: hotPartitions(deployed, 'ConsumedReadCapacityUnits'),
    stat: 'Sum',
    expression: PER_SECOND,
    period: 60,
    threshold: READ_LIMIT,
    points: [3, 5],
  },
  WriteCapacity: {
    name: 'write-capacity',
    description: 'A partition is near its limit of 1,000 write units per second.',
    metrics: hotPartitions(deployed, 'ConsumedWriteCapacityUnits'),
    stat: 'Sum',
    expression: PER_SECOND,
    period: 60,
    threshold: WRITE_LIMIT,
    points: [3, 5],
  },
  // Changes are on the bus within a minute, so two of them are late.
  ...(deployed.hasEvents && {
    Events: {
      name: 'events',
      description:
        'For three minutes the oldest change that is not on the event bus was two minutes old or older, or the sender of events did not run.',
      metrics: [eventsMetric(deployed, 'eventsLagSeconds')],
      stat: 'Maximum',
      expression: 'm0',
      period: 60,
      threshold: 120,
      points: [3, 3],
      needsData: true,
    },
  }),
});

/** The alarms of a stage by logical id. */
export const alarmsOf = (deployed: Deployed): Record<string, Resource> =>
  Object.fromEntries(Object.entries(rulesOf(deployed)).flatMap(([id, rules]) => alarmsFor(deployed, id, rules)));
