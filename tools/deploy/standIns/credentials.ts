import type { AwsCredentialIdentityProvider } from '@smithy/types';
import { optionalVariable, requiredVariable } from '../../../lib/ground/index.ts';

/**
 * Replaces the SDK's own default in bundles, which looks for credentials in many places and takes a fifth of the time that
 * a client needs to load. Lambda puts credentials into the environment, and no container outlives them.
 */
export const defaultProvider = (): AwsCredentialIdentityProvider => async () => {
  const sessionToken = optionalVariable('AWS_SESSION_TOKEN');
  return {
    accessKeyId: requiredVariable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: requiredVariable('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  };
};
