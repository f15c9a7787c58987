/** As a URL has them. */
export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** https keeps others from reading or changing tokens and keys. Inside of a machine nobody does. */
export function isSecure(url: string, isLocal: boolean): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : {};
  return protocol === 'https:' || (isLocal && protocol === 'http:' && LOOPBACK.includes(hostname ?? ''));
}
