import { optionalVariable } from '../../lib/ground/index.ts';
import { findRegion } from '../deploy/region.ts';
import { stackOf } from './stages.ts';

/** Where the tables of a stage are. The SDK itself reads `AWS_ENDPOINT_URL_DYNAMODB`. */
export async function useStage(stage: string, region: string | undefined) {
  process.env.AWS_REGION = await findRegion(region);
  const users = optionalVariable('USERS_TABLE') ?? `${stackOf(stage)}-users`;
  const directory = optionalVariable('DIRECTORY_TABLE') ?? `${stackOf(stage)}-directory`;
  return { tables: { users, directory }, endpoint: undefined };
}
