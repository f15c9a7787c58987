import { alarmsOf, type Deployed } from './alarms.ts';
import { dashboardOf } from './dashboard.ts';
import type { Resource } from './resource.ts';

const topicOf = (email: string): Resource => ({
  Type: 'AWS::SNS::Topic',
  Properties: email === '' ? {} : { Subscription: [{ Protocol: 'email', Endpoint: email }] },
});

/**
 * What watches a stage, by logical id: alarms, the topic that they tell, and a dashboard. It follows the routes, indexes
 * and tables that there are.
 *
 * @param email is told of alarms; nobody if empty
 */
export function monitoringOf(deployed: Deployed, email: string): Record<string, Resource> {
  const alarms = alarmsOf(deployed);
  return { AlarmTopic: topicOf(email), ...alarms, Dashboard: dashboardOf(deployed, Object.keys(alarms)) };
}
