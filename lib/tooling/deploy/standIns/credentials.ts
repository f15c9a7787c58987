import type { AwsCredentialIdentityProvider } from '@smithy/types';
import { optionalVariable, requiredVariable } from '../../../runtime.ts';

/**
 * Bundles have this in the place of the SDK's own default, which looks for credentials in many places and takes a fifth
 * of the time that a client loads: Lambda puts them in the environment, and keeps a container no longer than they hold.
 */
export const defaultProvider = (): AwsCredentialIdentityProvider => async () => {
  const sessionToken = optionalVariable('AWS_SESSION_TOKEN');
  return {
    accessKeyId: requiredVariable('AWS_ACCESS_KEY_ID'),
    secretAccessKey: requiredVariable('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  };
};
