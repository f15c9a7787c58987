import type { Runtime } from '../../runtime.ts';
import { type Checksum, checksumOf } from './checksum.ts';
import type { Connection } from './client.ts';
import { exportUsers } from './exportUsers.ts';
import { linesOf } from './lines.ts';

/** Every user of a service, as clients see it, in the order of ids. */
async function* users(chunks: AsyncIterable<string>): AsyncGenerator<Record<string, unknown>> {
  for await (const { text } of linesOf(chunks)) if (text.startsWith('{')) yield JSON.parse(text);
}

/**
 * The number of all users of a service and their checksum. A few users are in memory.
 *
 * @throws {Stop} when not all users came
 */
export async function readChecksum(connection: Connection, runtime: Runtime, signal: AbortSignal): Promise<Checksum> {
  const nobody = () => undefined;
  const options = { connection, runtime, sort: [], filters: {}, onProgress: nobody, say: nobody, signal };
  const exported = exportUsers({ ...options, format: 'ndjson' });
  const checksum = await checksumOf(users(exported.chunks));
  exported.result();
  return checksum;
}
