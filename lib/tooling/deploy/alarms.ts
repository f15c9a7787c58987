import { ROUTES } from '../../http/routes.ts';
import { METRICS_NAMESPACE } from '../../log.ts';
import { USERS_INDEXES } from '../../users/indexes.ts';
import type { Resource } from './resource.ts';

/** What is watched, by the names that CloudWatch knows it by. */
export interface Deployed {
  service: string;
  stage: string;
  tables: { users: string; directory: string };
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

/** It is open for as long as a client reads, so its latency says nothing. */
const STREAMED = 'listAllUsers';

const latencies = (deployed: Deployed): Metric[] =>
  ROUTES.filter(({ operation, scope }) => scope !== undefined && operation !== STREAMED).map(({ method, path }) =>
    apiMetric(deployed, 'Latency', { Method: method, Resource: path }),
  );

/** What the fold says of the journal after each run. */
export const journalMetric = ({ service, stage }: Deployed, name: string): Metric =>
  metric(METRICS_NAMESPACE, name, { function: `${service}-${stage}-fold` });

const DYNAMODB_OPERATIONS = ['GetItem', 'Query', 'TransactWriteItems'];

export const throttles = ({ tables }: Deployed): Metric[] =>
  Object.values(tables).flatMap((TableName) =>
    DYNAMODB_OPERATIONS.map((Operation) => metric('AWS/DynamoDB', 'ThrottledRequests', { TableName, Operation })),
  );

/**
 * What limits a stage: an index may have all users in one partition, and so may one by country where most are of one country;
 * the journal is one partition of the other table.
 */
export function hotPartitions({ tables }: Deployed, name: string): Metric[] {
  return [
    ...USERS_INDEXES.map(({ name: GlobalSecondaryIndexName }) =>
      metric('AWS/DynamoDB', name, { TableName: tables.users, GlobalSecondaryIndexName }),
    ),
    metric('AWS/DynamoDB', name, { TableName: tables.directory }),
  ];
}

interface AlarmRules {
  name: string;
  description: string;
  metrics: Metric[];
  stat: string;
  /** Of the metrics together, in metric math. */
  expression: string;
  /** Seconds that one data point sums up. */
  period: number;
  threshold: number;
  /** Alarms when so many of the last data points are at or above the threshold. */
  points: [breaching: number, of: number];
  /** Whether a time without data is as bad as a breach. */
  needsData?: boolean;
}

const alarm = (deployed: Deployed, rules: AlarmRules): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: `${deployed.service}-${deployed.stage}-${rules.name}`,
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
 * Four fifths of what one partition takes in a second:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const READ_LIMIT = 0.8 * 3_000;
const WRITE_LIMIT = 0.8 * 1_000;

const PER_SECOND = 'MAX(FILL(METRICS(), 0)) / 60';

/** The alarms of a stage by logical id. */
export const alarmsOf = (deployed: Deployed): Record<string, Resource> => ({
  FaultsAlarm: alarm(deployed, {
    name: 'faults',
    description: 'Five or more requests of five minutes were answered 5xx.',
    metrics: [apiMetric(deployed, '5XXError')],
    stat: 'Sum',
    expression: 'm0',
    period: 300,
    threshold: 5,
    points: [1, 1],
  }),
  SlowAlarm: alarm(deployed, {
    name: 'slow',
    description: 'The slowest hundredth of the requests to some route took 3 seconds or more, for 15 minutes.',
    metrics: latencies(deployed),
    stat: 'p99',
    expression: 'MAX(FILL(METRICS(), 0))',
    period: 300,
    threshold: 3_000,
    points: [3, 3],
  }),
  ThrottledAlarm: alarm(deployed, {
    name: 'throttled',
    description: 'DynamoDB throttled ten or more requests of five minutes.',
    metrics: throttles(deployed),
    stat: 'Sum',
    expression: 'SUM(FILL(METRICS(), 0))',
    period: 300,
    threshold: 10,
    points: [1, 1],
  }),
  JournalAlarm: alarm(deployed, {
    name: 'journal',
    description: 'For three minutes the oldest entry of the journal was a minute old, or the fold did not run.',
    metrics: [journalMetric(deployed, 'oldestEntrySeconds')],
    stat: 'Maximum',
    expression: 'm0',
    period: 60,
    threshold: 60,
    points: [3, 3],
    needsData: true,
  }),
  ReadCapacityAlarm: alarm(deployed, {
    name: 'read-capacity',
    description: 'A partition is near the 3,000 read units a second that it takes.',
    metrics: hotPartitions(deployed, 'ConsumedReadCapacityUnits'),
    stat: 'Sum',
    expression: PER_SECOND,
    period: 60,
    threshold: READ_LIMIT,
    points: [3, 5],
  }),
  WriteCapacityAlarm: alarm(deployed, {
    name: 'write-capacity',
    description: 'A partition is near the 1,000 write units a second that it takes.',
    metrics: hotPartitions(deployed, 'ConsumedWriteCapacityUnits'),
    stat: 'Sum',
    expression: PER_SECOND,
    period: 60,
    threshold: WRITE_LIMIT,
    points: [3, 5],
  }),
});
