/** The needs of a door, asked before anything is made: AWS tells of them late, or never. */
import { DescribeEventBusCommand, type EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Stop } from '../program/stop.ts';

/**
 * Requires the bus of a stage, from which a door takes events. A stage has none unless its `events` are on.
 *
 * @param client where the bus would be
 * @throws {Stop} when there is none, with what to do
 */
export async function requireBus(
  client: EventBridgeClient,
  { door, stage, bus }: { door: string; stage: string; bus: string },
): Promise<void> {
  const found = await client.send(new DescribeEventBusCommand({ Name: bus })).catch((error) => {
    if (error.name !== 'ResourceNotFoundException') throw error;
  });
  if (found !== undefined) return;
  const advice = `set "events: true" for ${stage} under "params" of serverless.yml, and deploy the stage`;
  throw new Stop(`Door ${door} needs the bus ${bus}, and there is none: ${advice}. Nothing was deployed.`);
}
