import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../../../lib/http/scheduled.ts';
import { fitMonitoring } from '../../../../tools/deploy/monitoring.ts';
import type { Resource } from '../../../../tools/deploy/resource.ts';

const file = readFileSync('tools/deploy/monitoring.yml', 'utf8');

function fitted(settings: Partial<Parameters<typeof fitMonitoring>[1]> = {}): Record<string, Resource> {
  const resources = parse(file, { logLevel: 'silent', merge: true }).Resources;
  fitMonitoring(resources, {
    isMonitored: true,
    hasDashboard: true,
    email: 'ops@example.com',
    functions: [],
    hasIndex: false,
    ...settings,
  });
  return resources;
}

function textOf({ Dashboard }: Record<string, Resource>): string {
  const body = Dashboard?.Properties.DashboardBody as { 'Fn::Sub': string } | undefined;
  return body?.['Fn::Sub'] ?? '';
}

const alarmsOf = (resources: Record<string, Resource>) =>
  Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');

describe('the monitoring of a stage', () => {
  test('is left out where it is off', () => {
    expect(fitted({ isMonitored: false })).toEqual({});
  });

  test('has a dashboard only where one is asked for', () => {
    expect('Dashboard' in fitted()).toBe(true);
    expect('Dashboard' in fitted({ hasDashboard: false })).toBe(false);
  });

  test('notifies the address, if there is one', () => {
    const subscription = [{ Protocol: 'email', Endpoint: '${param:alarmEmail}' }];
    expect(fitted().AlarmTopic?.Properties).toEqual({ Subscription: subscription });
    expect(fitted({ email: '' }).AlarmTopic?.Properties).toEqual({});
  });

  test.each([true, false])('watches an index, where there is one: %s', (hasIndex) => {
    const resources = fitted({ hasIndex });
    expect(['IndexAlarm' in resources, textOf(resources).includes('IndexAlarm')]).toEqual([hasIndex, hasIndex]);
  });

  test.each([true, false])('shows all its alarms on a dashboard, with events: %s', (hasEvents) => {
    const functions = hasEvents ? ['fold', 'sendEvents'] : ['fold', 'authorizer'];
    const resources = fitted({ functions });
    const text = textOf(resources);
    const shown = JSON.parse(text).widgets[0].properties.alarms;
    expect(shown).toEqual(alarmsOf(resources).map(([id]) => `\${${id}.Arn}`));
    expect('EventsAlarm' in resources).toBe(hasEvents);
    expect(/events/i.test(text)).toBe(hasEvents);
    expect(text.match(/(?<=SOURCE '[^']*-)\w+(?=')/g)?.toSorted()).toEqual(functions.toSorted());
  });

  test('asks the logs of all its functions for faults, and those of routes of users for their costs', () => {
    const text = textOf(fitted({ functions: ['listUsers', 'getDocs', 'fold', 'deleteUser'] }));
    const { widgets }: { widgets: { properties: { title: string; query?: string } }[] } = JSON.parse(text);
    const askedBy = (title: string) =>
      widgets
        .find(({ properties }) => properties.title === title)
        ?.properties.query?.match(/(?<=SOURCE '[^']*-)\w+(?=')/g);
    expect(askedBy('Faults')).toEqual(['listUsers', 'getDocs', 'fold', 'deleteUser']);
    expect(askedBy('Routes by cost')).toEqual(['listUsers', 'deleteUser']);
    expect(text).not.toContain('<every');
  });

  test('shows every metric of the service, and pays for none per function or route', () => {
    const own = [...textOf(fitted({ functions: ['sendEvents'] })).matchAll(/\["UserManagement","(\w+)","(\w+)"/g)];
    expect(new Set(own.map(([, metric]) => metric))).toEqual(new Set(Object.keys(METRICS)));
    expect(new Set(own.map(([, , dimension]) => dimension))).toEqual(new Set(['stage']));
    const dimensions = alarmsOf(fitted()).flatMap(
      ([, alarm]) => JSON.stringify(alarm).match(/(?<="Name":")\w+/g) ?? [],
    );
    expect(new Set(dimensions)).toEqual(
      new Set(['ApiName', 'Stage', 'stage', 'TableName', 'GlobalSecondaryIndexName']),
    );
  });
});
