import { referenced } from './references.ts';
import { AWS, at, change, each, listAt, numberAt, ofType, type Rule, TEMPLATES, textAt } from './rule.ts';

const GUIDE = `${AWS}/AmazonCloudWatch/latest/monitoring`;
const API = `${AWS}/AmazonCloudWatch/latest/APIReference`;

const DAY = 86_400;

const metrics = (length: number, more: object = {}) =>
  Array.from({ length }, (_, i) => ({
    Id: `m${i}`,
    ReturnData: i === 0,
    MetricStat: { Period: 300, Stat: 'Sum' },
    ...more,
  }));

const periodsOf = (alarm: object): number[] =>
  listAt(alarm, 'Metrics')
    .filter((each) => at(each, 'MetricStat'))
    .map((each) => numberAt(each, 'MetricStat', 'Period'));

const withWidget = (properties: object) => ({ DashboardBody: JSON.stringify({ widgets: [{ properties }] }) });

const widgetsOf = ({ DashboardBody }: { DashboardBody?: unknown }): unknown[] =>
  listAt(JSON.parse(textAt(at(DashboardBody, 'Fn::Sub') ?? DashboardBody)), 'widgets');

export const MONITORING_RULES: Rule[] = [
  {
    says: 'An alarm computes with at most ten metrics',
    source: `${GUIDE}/alarm-limits.html`,
    offenders: each('CloudWatch::Alarm', (alarm) => periodsOf(alarm).length > 10),
    breaks: change('CloudWatch::Alarm', { Metrics: metrics(11) }),
  },
  {
    says: 'An alarm watches exactly one of its values',
    source: `${API}/API_MetricDataQuery.html`,
    offenders: each('CloudWatch::Alarm', ({ Metrics }) => {
      const watched = listAt(Metrics).filter((each) => at(each, 'ReturnData') !== false);
      return Metrics !== undefined && watched.length !== 1;
    }),
    breaks: change('CloudWatch::Alarm', { Metrics: metrics(2, { ReturnData: true }) }),
  },
  {
    says: 'An alarm looks back for a day at most, or a week with periods of an hour',
    source: `${API}/API_PutMetricAlarm.html`,
    offenders: each('CloudWatch::Alarm', (alarm) =>
      periodsOf(alarm).some(
        (period) => period * numberAt(alarm, 'EvaluationPeriods') > (period < 3_600 ? DAY : 7 * DAY),
      ),
    ),
    breaks: change('CloudWatch::Alarm', { Metrics: metrics(1), EvaluationPeriods: 289 }),
  },
  {
    says: 'An alarm needs no more points than it looks at',
    source: `${API}/API_PutMetricAlarm.html`,
    offenders: each(
      'CloudWatch::Alarm',
      (alarm) => numberAt(alarm, 'DatapointsToAlarm') > numberAt(alarm, 'EvaluationPeriods'),
    ),
    breaks: change('CloudWatch::Alarm', { DatapointsToAlarm: 9 }),
  },
  {
    says: 'The topic of an alarm is not encrypted with the key of SNS, which CloudWatch may not use',
    source: `${AWS}/sns/latest/dg/sns-key-management.html`,
    offenders: each('CloudWatch::Alarm', ({ AlarmActions }, _, resources) => {
      const topic = referenced(resources, AlarmActions, 'SNS::Topic') ?? '';
      return textAt(resources, topic, 'Properties', 'KmsMasterKeyId') === 'alias/aws/sns';
    }),
    breaks: change('SNS::Topic', { KmsMasterKeyId: 'alias/aws/sns' }),
  },
  {
    says: 'A dashboard has at most 500 metrics in a widget, and 2,500 in all',
    source: `${GUIDE}/cloudwatch_limits.html`,
    offenders: each('CloudWatch::Dashboard', (dashboard) => {
      const counts = widgetsOf(dashboard).map((each) => listAt(each, 'properties', 'metrics').length);
      return Math.max(...counts) > 500 || counts.reduce((sum, count) => sum + count, 0) > 2_500;
    }),
    breaks: change('CloudWatch::Dashboard', withWidget({ metrics: Array(501).fill({}) })),
  },
  {
    says: 'A query of logs names at most 50 log groups',
    source: `${AWS}/AmazonCloudWatch/latest/logs/cloudwatchlogs-quotas.html`,
    offenders: each('CloudWatch::Dashboard', (dashboard) =>
      widgetsOf(dashboard).some((each) => textAt(each, 'properties', 'query').split('SOURCE ').length > 51),
    ),
    breaks: change('CloudWatch::Dashboard', withWidget({ query: "SOURCE 'a' | ".repeat(51) })),
  },
  {
    says: 'A log group that outlives its stack goes with a failed first deployment: the next one would find it',
    source: `${TEMPLATES}/aws-attribute-deletionpolicy.html`,
    offenders: (resources) =>
      ofType(resources, 'Logs::LogGroup').flatMap(([id, { DeletionPolicy }]) =>
        DeletionPolicy === 'Retain' ? id : [],
      ),
    breaks: change('Logs::LogGroup', {}, { DeletionPolicy: 'Retain' }),
  },
];
