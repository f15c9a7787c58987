import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { reasonOf, Stop } from '../program/stop.ts';

const ADVICE =
  'Name a profile in AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN).';

/**
 * Looks for AWS credentials where the SDK looks for them, before anything is asked of AWS.
 *
 * @param config of a client of the SDK
 * @param outcome what did not happen
 * @throws {Stop} when there are none
 */
export async function requireCredentials(
  { credentials }: Pick<DynamoDBClient['config'], 'credentials'>,
  outcome: string,
): Promise<void> {
  await credentials().catch((error) => {
    throw new Stop(`${outcome}: there are no AWS credentials (${reasonOf(error)}). ${ADVICE}`);
  });
}
