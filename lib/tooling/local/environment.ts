/**
 * Stores on this machine ask for credentials and check none, so any will do, and a profile must not be looked up for
 * them. The SDK's notice about Node versions is for those who deploy.
 */
export function useLocalCredentials(): void {
  delete process.env.AWS_PROFILE;
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
