import { describe, expect, test } from 'vitest';
import { monitoringOf } from '../../../../lib/tooling/deploy/monitoring.ts';

const deployed = {
  service: 'user-management',
  stage: 'prod',
  tables: { users: 'user-management-prod-users', directory: 'user-management-prod-directory' },
  hasEvents: false,
};

const resources = monitoringOf(deployed, 'ops@example.com');

interface AlarmProperties {
  AlarmName: string;
  AlarmActions: object[];
  Metrics: {
    Id: string;
    Expression?: string;
    ReturnData: boolean;
    MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions: { Name: string; Value: string }[] } };
  }[];
}

const alarms = Object.entries(resources)
  .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
  .map(([id, { Properties }]) => [id, Properties as unknown as AlarmProperties] as const);

const watchedBy = (id: string): string[] =>
  alarms
    .filter(([name]) => name === id)
    .flatMap(([, { Metrics }]) => Metrics)
    .flatMap(({ MetricStat }) => MetricStat ?? [])
    .map(({ Metric }) => `${Metric.MetricName} ${Metric.Dimensions.map(({ Value }) => Value).join(' ')}`);

describe('the alarms of a stage', () => {
  test('watch faults, slowness, throttling and capacity', () => {
    expect(alarms.map(([id]) => id)).toEqual([
      'FaultsAlarm',
      'SlowAlarm',
      'ThrottledAlarm',
      'JournalAlarm',
      'ReadCapacityAlarm',
      'ReadCapacity2Alarm',
      'WriteCapacityAlarm',
      'WriteCapacity2Alarm',
    ]);
    expect(alarms.map(([, { AlarmName }]) => AlarmName)).toEqual([
      'user-management-prod-faults',
      'user-management-prod-slow',
      'user-management-prod-throttled',
      'user-management-prod-journal',
      'user-management-prod-read-capacity',
      'user-management-prod-read-capacity-2',
      'user-management-prod-write-capacity',
      'user-management-prod-write-capacity-2',
    ]);
  });

  test('notify the topic, which notifies the address, if there is one', () => {
    for (const [, { AlarmActions }] of alarms) expect(AlarmActions).toEqual([{ Ref: 'AlarmTopic' }]);
    expect(resources.AlarmTopic?.Properties).toEqual({
      Subscription: [{ Protocol: 'email', Endpoint: 'ops@example.com' }],
    });
    expect(monitoringOf(deployed, '').AlarmTopic?.Properties).toEqual({});
  });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
  test.each(alarms)('%s watches one expression over at most ten metrics', (_, { Metrics }) => {
    expect(Metrics.filter(({ ReturnData }) => ReturnData).map(({ Id }) => Id)).toEqual(['watched']);
    expect(Metrics.filter(({ MetricStat }) => MetricStat).length).toBeLessThanOrEqual(10);
  });

  test.each([
    ['FaultsAlarm', 'm0', 'Sum', 300, 5, 1, 1],
    ['JournalAlarm', 'm0', 'Maximum', 60, 60, 3, 3],
    ['SlowAlarm', 'MAX(FILL(METRICS(), 0))', 'p99', 300, 3_000, 3, 3],
    ['ThrottledAlarm', 'SUM(FILL(METRICS(), 0))', 'Sum', 300, 10, 1, 1],
    ['ReadCapacityAlarm', 'MAX(FILL(METRICS(), 0)) / 60', 'Sum', 60, 2_400, 3, 5],
    ['WriteCapacityAlarm', 'MAX(FILL(METRICS(), 0)) / 60', 'Sum', 60, 800, 3, 5],
  ])(
    '%s watches %s (%s in %d s) with the threshold %d in %d of %d points',
    (id, expression, stat, period, ...limits) => {
      const [threshold, breaching, of] = limits;
      const { Metrics, ...rules } = Object.fromEntries(alarms)[id] as AlarmProperties;
      expect(rules).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold: threshold,
        DatapointsToAlarm: breaching,
        EvaluationPeriods: of,
        TreatMissingData: id === 'JournalAlarm' ? 'breaching' : 'notBreaching',
      });
      expect(Metrics[0]?.Expression).toBe(expression);
      for (const { MetricStat } of Metrics.slice(1)) expect(MetricStat).toMatchObject({ Stat: stat, Period: period });
    },
  );

  test('watch the latency of every route except the stream and the erasure, which may be long', () => {
    expect(watchedBy('SlowAlarm')).toEqual([
      'Latency prod-user-management prod GET /api/users',
      'Latency prod-user-management prod POST /api/users',
      'Latency prod-user-management prod GET /api/users/cursor',
      'Latency prod-user-management prod GET /api/users/search',
      'Latency prod-user-management prod GET /api/users/{id}',
      'Latency prod-user-management prod PUT /api/users/{id}',
      'Latency prod-user-management prod PATCH /api/users/{id}',
      'Latency prod-user-management prod DELETE /api/users/{id}',
      'Latency prod-user-management prod GET /api/users/changes',
      'Latency prod-user-management prod GET /api/users/{id}/changes',
    ]);
  });

  test('watch the age of the oldest journal entry', () => {
    expect(watchedBy('JournalAlarm')).toEqual(['oldestEntrySeconds user-management-prod-fold']);
  });

  test('watch every index, and the journal and statistics', () => {
    const orders = ['Name', 'Email', 'Age', 'FirstName', 'LastName', 'Status'];
    const partitions = [
      'byId',
      ...orders.map((order) => `by${order}`),
      'byCountry',
      ...orders.map((order) => `byCountryAnd${order}`),
    ];
    expect([...watchedBy('WriteCapacityAlarm'), ...watchedBy('WriteCapacity2Alarm')]).toEqual([
      ...partitions.map((index) => `ConsumedWriteCapacityUnits user-management-prod-users ${index}`),
      'ConsumedWriteCapacityUnits user-management-prod-directory',
    ]);
    expect(watchedBy('ReadCapacityAlarm')).toHaveLength(10);
    expect(watchedBy('ReadCapacity2Alarm')).toHaveLength(5);
  });

  test('watch the throttling of all operations on both tables', () => {
    expect(watchedBy('ThrottledAlarm')).toEqual([
      'ThrottledRequests user-management-prod-users GetItem',
      'ThrottledRequests user-management-prod-users Query',
      'ThrottledRequests user-management-prod-users TransactWriteItems',
      'ThrottledRequests user-management-prod-directory GetItem',
      'ThrottledRequests user-management-prod-directory Query',
      'ThrottledRequests user-management-prod-directory TransactWriteItems',
    ]);
  });
});

describe('the dashboard of a stage', () => {
  const { DashboardBody } = resources.Dashboard?.Properties ?? {};
  const { 'Fn::Sub': body } = DashboardBody as { 'Fn::Sub': string };

  test('is JSON with variables for the region and the alarms', () => {
    const variables = [...new Set(body.match(/\$\{[^}]*\}/g))];
    expect(variables.sort()).toEqual(['${AWS::Region}', ...alarms.map(([id]) => `\${${id}.Arn}`)].sort());
    const { widgets } = JSON.parse(body) as { widgets: { x: number; y: number; properties: { title: string } }[] };
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Alarms',
      'Requests per minute',
      'Milliseconds in the function: the slowest hundredth',
      'Read units per request',
      'Write units per request',
      'Age of the oldest journal entry, in seconds',
      'Entries of the journal',
      'Entries folded per minute',
      'Write units of the fold per minute',
      'Read units per minute of what may be one partition (180,000 at most)',
      'Write units per minute of what may be one partition (60,000 at most)',
      'Requests that DynamoDB throttled',
      'Concurrent functions',
      'Calls that Lambda throttled',
      'Plans by cost',
      'Faults',
    ]);
    expect(new Set(widgets.map(({ x, y }) => `${x} ${y}`)).size).toBe(widgets.length);
  });

  test('also finds faults of the authorizer', () => {
    expect(body).toContain("SOURCE '/aws/lambda/user-management-prod-authorizer'");
  });

  test('shows the metrics that the log lines carry', () => {
    expect(body).toContain('["UserManagement","readUnits","function","user-management-prod-listUsers"');
    expect(body).toContain('["UserManagement","milliseconds","function","user-management-prod-createUser"');
  });
});

describe('a stage with events', () => {
  const withEvents = monitoringOf({ ...deployed, hasEvents: true }, '');

  test('has one alarm more, on the age of what is not sent', () => {
    expect(Object.keys(withEvents).filter((id) => !(id in resources))).toEqual(['EventsAlarm']);
    expect(withEvents.EventsAlarm?.Properties).toEqual({
      AlarmName: 'user-management-prod-events',
      AlarmDescription:
        'For three minutes the oldest change that is not on the event bus was two minutes old or older, or the sender of events did not run. What to do: docs/runbook.md',
      Metrics: [
        { Id: 'watched', Expression: 'm0', Label: 'events', ReturnData: true },
        {
          Id: 'm0',
          MetricStat: {
            Metric: {
              Namespace: 'UserManagement',
              MetricName: 'eventsLagSeconds',
              Dimensions: [{ Name: 'function', Value: 'user-management-prod-sendEvents' }],
            },
            Period: 60,
            Stat: 'Maximum',
          },
          ReturnData: false,
        },
      ],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 120,
      DatapointsToAlarm: 3,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
      AlarmActions: [{ Ref: 'AlarmTopic' }],
      OKActions: [{ Ref: 'AlarmTopic' }],
    });
  });

  test('shows on its dashboard how late events are, how many there are, and the faults of what sends them', () => {
    const text = JSON.stringify(withEvents.Dashboard);
    expect(text).toContain('Age of the oldest change that is not on the event bus, in seconds');
    expect(text).toContain('Events per minute');
    expect(text).toContain("SOURCE '/aws/lambda/user-management-prod-sendEvents'");
    expect(JSON.stringify(resources.Dashboard)).not.toMatch(/sendEvents|event bus/);
  });
});
