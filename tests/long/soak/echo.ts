import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** In a process of its own, sends back the body of each request: the least that an HTTP service in Node can do. */
if (process.send) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => response.setHeader('content-type', 'application/json').end(Buffer.concat(chunks)));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
  process.once('disconnect', () => process.exit());
}

/** Starts the echo, which ends with this process at the latest. */
export async function startEcho(): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL(import.meta.url));
  const [{ port }] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
