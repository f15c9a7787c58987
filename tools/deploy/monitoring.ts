import { alarmsOf, type Deployed } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import type { Resource } from './resource.ts';

const topicOf = (email: string): Resource => ({
  Type: 'AWS::SNS::Topic',
  Properties: email === '' ? {} : { Subscription: [{ Protocol: 'email', Endpoint: email }] },
});

/**
 * The resources that monitor a stage, by logical id: alarms, the topic that they notify, and a dashboard. They follow from the
 * routes, indexes and tables.
 *
 * @param email receives the alarms; nobody does if it is empty
 */
export function monitoringOf(deployed: Deployed, email: string): Record<string, Resource> {
  const alarms = alarmsOf(deployed);
  return { AlarmTopic: topicOf(email), ...alarms, Dashboard: dashboardOf(deployed, Object.keys(alarms)) };
}
