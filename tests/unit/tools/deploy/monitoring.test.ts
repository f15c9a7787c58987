import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { needsToken, ROUTES } from '../../../../lib/http/routes.ts';
import { monitoringOf } from '../../../../tools/deploy/monitoring.ts';
import type { Resource } from '../../../../tools/deploy/resource.ts';

const deployed = {
  service: 'user-management',
  stage: 'prod',
  tables: { users: 'user-management-prod-users', directory: 'user-management-prod-directory' },
  hasEvents: false,
};

const resources = monitoringOf(deployed, 'ops@example.com');
const withEvents = monitoringOf({ ...deployed, hasEvents: true }, '');

interface AlarmProperties {
  AlarmActions: object[];
  TreatMissingData: string;
  Metrics: {
    Id: string;
    ReturnData: boolean;
    MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string; Value: string }[] } };
  }[];
}

const alarmsIn = (made: Record<string, Resource>) =>
  Object.entries(made)
    .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
    .map(([id, { Properties }]) => [id, Properties as unknown as AlarmProperties] as const);

const alarms = alarmsIn(resources);

describe('the alarms of a stage', () => {
  test('notify the topic, which notifies the address, if there is one', () => {
    for (const [, { AlarmActions }] of alarms) expect(AlarmActions).toEqual([{ Ref: 'AlarmTopic' }]);
    expect(resources.AlarmTopic?.Properties).toEqual({
      Subscription: [{ Protocol: 'email', Endpoint: 'ops@example.com' }],
    });
    expect(monitoringOf(deployed, '').AlarmTopic?.Properties).toEqual({});
  });

  test('go off without data only where a function must run every minute', () => {
    const breaching = alarmsIn(withEvents).filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching');
    expect(breaching.map(([id]) => id)).toEqual(['JournalAlarm', 'EventsAlarm']);
  });

  test('watch every way in which a request asks DynamoDB', () => {
    const watched = alarms
      .flatMap(([id, { Metrics }]) => (id === 'ThrottledAlarm' ? Metrics : []))
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => Value).join(' ') ?? []);
    expect(watched).toEqual([
      'user-management-prod-users GetItem',
      'user-management-prod-users Query',
      'user-management-prod-users TransactWriteItems',
      'user-management-prod-directory GetItem',
      'user-management-prod-directory Query',
      'user-management-prod-directory TransactWriteItems',
      'user-management-prod-directory BatchGetItem',
    ]);
  });

  test('watch the latency of every route with a token except the stream and the erasure, which may be long', () => {
    const watched = alarms
      .flatMap(([id, { Metrics }]) => (id.startsWith('Slow') ? Metrics : []))
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => Value).join(' ') ?? []);
    const routes = ROUTES.filter(needsToken).map(({ method, path }) => `${method} ${path}`);
    expect(watched).toHaveLength(routes.length - 2);
    expect(routes.filter((route) => !watched.includes(`prod-user-management prod ${route}`)).sort()).toEqual([
      'DELETE /api/users/{id}/changes',
      'GET /api/users/all',
    ]);
  });
});

describe('the dashboard of a stage', () => {
  const { DashboardBody } = resources.Dashboard?.Properties ?? {};
  const { 'Fn::Sub': body } = DashboardBody as { 'Fn::Sub': string };

  test('is JSON with variables for the region and the alarms, and a place for each widget', () => {
    const variables = [...new Set(body.match(/\$\{[^}]*\}/g))];
    expect(variables.sort()).toEqual(['${AWS::Region}', ...alarms.map(([id]) => `\${${id}.Arn}`)].sort());
    const { widgets } = JSON.parse(body) as { widgets: { x: number; y: number }[] };
    expect(new Set(widgets.map(({ x, y }) => `${x} ${y}`)).size).toBe(widgets.length);
  });

  test('finds faults of every function, those of the pages and of the authorizer, too', () => {
    const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' });
    const names = Object.keys(functions).filter((name) => name !== 'sendEvents');
    const { widgets } = JSON.parse(body) as { widgets: { properties: { title: string; query?: string } }[] };
    const query = widgets.find(({ properties }) => properties.title === 'Faults')?.properties.query ?? '';
    const searched = [...query.matchAll(/SOURCE '\/aws\/lambda\/user-management-prod-(\w+)'/g)].map(([, name]) => name);
    expect(searched.sort()).toEqual(names.sort());
  });

  test('shows the metrics that the log lines carry', () => {
    expect(body).toContain('["UserManagement","readUnits","function","user-management-prod-listUsers"');
    expect(body).toContain('["UserManagement","milliseconds","function","user-management-prod-createUser"');
  });
});

test('a stage with events has one more alarm, and its dashboard shows how late events are; other stages have neither', () => {
  expect(Object.keys(withEvents).filter((id) => !(id in resources))).toEqual(['EventsAlarm']);
  const text = JSON.stringify(withEvents.Dashboard);
  expect(text).toContain('Age of the oldest change that is not on the event bus, in seconds');
  expect(text).toContain("SOURCE '/aws/lambda/user-management-prod-sendEvents'");
  expect(JSON.stringify(resources)).not.toMatch(/sendEvents|event bus/);
});
