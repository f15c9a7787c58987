/** Sets dummy credentials: a local store does not check them, and the SDK must not look for a profile. */
export function useLocalCredentials(): void {
  delete process.env.AWS_PROFILE;
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
}
