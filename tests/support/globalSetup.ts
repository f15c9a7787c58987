import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { startLocalStore } from '../../tools/local/localStore.ts';
import { startService } from './httpService.ts';
import { close, listen } from './servers.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where `storeEndpoint()` asks for one DynamoDB for all tests, each of which makes its own tables there. */
    sharedStore: string;
    /** Where `sharedService()` asks for one local service for all tests that do not mind users of other tests. */
    sharedService: string;
  }
}

/**
 * Starts something for all test files when the first of them asks for it: a run of unit tests needs nothing of it, and a start of the
 * service takes a processor for five seconds.
 *
 * @returns a URL that responds with it as JSON, and what ends it
 */
async function share<Shared extends object>(start: () => Promise<Shared & { stop(): unknown }>) {
  let started: ReturnType<typeof start> | undefined;
  const server = createServer((_, response) => {
    started ??= start();
    started.then(
      (shared) => response.end(JSON.stringify(shared)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  const end = async (): Promise<void> => {
    await close(server);
    const shared = await started?.catch(() => undefined);
    await shared?.stop();
  };
  return { url: await listen(server), end };
}

/** The store is the one of `npm start`, unless there is a server at `TEST_DYNAMODB`, which `npm run test:dynamodb-local` sets. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DYNAMODB;
  const store = await share(async () => (given ? { endpoint: given, stop: () => {} } : startLocalStore()));
  const service = await share(() => startService());
  project.provide('sharedStore', store.url);
  project.provide('sharedService', service.url);
  return async () => {
    await service.end();
    await store.end();
  };
}
