/** A process that sends back the body of each request: the least that an HTTP service in Node can do. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => response.setHeader('content-type', 'application/json').end(Buffer.concat(chunks)));
});

server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
