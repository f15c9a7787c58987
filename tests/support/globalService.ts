import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type LocalService, startService } from './httpService.ts';
import { close, listen } from './loopback.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    sharedService: string;
  }
}

/**
 * One local service for all test files that only send HTTP requests and do not mind users of other tests. A start takes a processor
 * for five seconds, so the service starts when the first file asks for its URL. A run of unit tests starts none.
 */
export default async function setup(project: TestProject) {
  let started: Promise<LocalService> | undefined;
  const server = createServer((_, response) => {
    started ??= startService();
    started.then(
      ({ url, port, pid }) => response.end(JSON.stringify({ url, port, pid })),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('sharedService', await listen(server));
  return async () => {
    await close(server);
    const service = await started?.catch(() => undefined);
    await service?.stop();
  };
}
