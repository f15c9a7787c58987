/** The metrics by which AWS bills a stage: what was used, as CloudWatch counts it. */
import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { systemRuntime } from '../../../lib/ground/index.ts';
import { stackOf } from '../../operate/stages.ts';

/** Milliseconds. A run with a restore takes some hours at most. */
const WINDOW_MS = 6 * 3_600_000;
/** Seconds. */
const PERIOD = 3_600;

type Metric = [title: string, namespace: string, name: string, dimensions: Record<string, string>];

const metricsOf = (stage: string): Metric[] => [
  ['requests of API Gateway', 'AWS/ApiGateway', 'Count', { ApiName: `${stage}-user-management`, Stage: stage }],
  ['calls of functions in the account', 'AWS/Lambda', 'Invocations', {}],
  ['milliseconds of functions in the account', 'AWS/Lambda', 'Duration', {}],
  ...['users', 'directory'].flatMap((table): Metric[] => {
    const of = { TableName: `${stackOf(stage)}-${table}` };
    return [
      [`write units of the ${table} table`, 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', of],
      [`read units of the ${table} table`, 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', of],
    ];
  }),
];

/** The use of a stage, a line for each metric. CloudWatch is some minutes late. */
export async function billOf(config: { region: string }, stage: string): Promise<string> {
  const metrics = metricsOf(stage);
  const MetricDataQueries = metrics.map(([, Namespace, MetricName, given], index): MetricDataQuery => {
    const Dimensions = Object.entries(given).map(([Name, Value]) => ({ Name, Value }));
    const Metric = { Namespace, MetricName, Dimensions };
    return { Id: `m${index}`, MetricStat: { Metric, Period: PERIOD, Stat: 'Sum' } };
  });
  const EndTime = new Date(systemRuntime.now());
  const StartTime = new Date(systemRuntime.now() - WINDOW_MS);
  const command = new GetMetricDataCommand({ MetricDataQueries, StartTime, EndTime });
  const { MetricDataResults = [] } = await new CloudWatchClient(config).send(command);
  const lines = metrics.map(([title], index) => {
    const { Values = [] } = MetricDataResults.find(({ Id }) => Id === `m${index}`) ?? {};
    const sum = Values.reduce((all, each) => all + each, 0);
    return `- ${Math.round(sum).toLocaleString('en-US')} ${title}`;
  });
  return lines.join('\n');
}
