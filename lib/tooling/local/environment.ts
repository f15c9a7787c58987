/**
 * Sets dummy credentials: a local store does not check them, and the SDK must not look for a profile. Also silences the SDK's
 * notice about Node versions, which is for deployments.
 */
export function useLocalCredentials(): void {
  delete process.env.AWS_PROFILE;
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
}
