import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { startEmbeddedStore } from '../../tools/local/embeddedStore.ts';
import { type LocalService, startService } from './httpService.ts';
import { close, listen } from './servers.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One DynamoDB for all tests, each of which makes its own tables there. */
    endpoint: string;
    sharedService: string;
  }
}

/**
 * One local service for all test files that only send HTTP requests and do not mind users of other tests. A start takes a processor
 * for five seconds, so the service starts when the first file asks for its URL. A run of unit tests starts none.
 */
async function shareService(project: TestProject): Promise<() => Promise<void>> {
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

/** Starts the embedded DynamoDB, unless there is a server at `TEST_DYNAMODB`, which `npm run test:dynamodb-local` sets. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DYNAMODB;
  const store = given ? { endpoint: given, stop: () => {} } : await startEmbeddedStore();
  project.provide('endpoint', store.endpoint);
  const stopService = await shareService(project);
  return async () => {
    await stopService();
    await store.stop();
  };
}
