import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { optionalVariable } from '../../lib/ground/index.ts';

/** Of a stage that nobody has given one. bench/prices.ts has its prices. */
const DEFAULT_REGION = 'eu-central-1';

/** The region in the files of the AWS command line, as the SDK finds it. It fails if there is none. */
const regionOfProfile = (profile: string | undefined): Promise<string> =>
  new DynamoDBClient(profile === undefined ? {} : { profile }).config.region().catch(() => DEFAULT_REGION);

/**
 * The region of a stage, for the framework and for all programs: as the AWS command line finds it.
 * https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 *
 * @param option `--region`
 * @param profile `--aws-profile` of the framework. The SDK itself reads `AWS_PROFILE`
 */
export const findRegion = async (option?: string, profile?: string): Promise<string> =>
  option ?? optionalVariable('AWS_REGION') ?? optionalVariable('AWS_DEFAULT_REGION') ?? regionOfProfile(profile);
