import { createHmac, randomBytes } from 'node:crypto';

/** A signing secret of Standard Webhooks: 24 to 64 bytes in base64. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

/** Another secret, of 32 bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The keys of signing secrets, several between blanks while one takes the place of another. @throws {Error} for a text that is none */
export const keysOf = (secrets: string): Buffer[] =>
  secrets
    .trim()
    .split(/\s+/)
    .map((secret) => {
      const [, key] = SECRET.exec(secret) ?? [];
      if (key === undefined) throw new Error('A signing secret is whsec_ and 24 to 64 bytes in base64');
      return Buffer.from(key, 'base64');
    });

/**
 * The header fields of a webhook, with a signature by each key.
 *
 * @param now milliseconds since 1970, of this try
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 */
export function signedHeaders(keys: readonly Buffer[], id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
