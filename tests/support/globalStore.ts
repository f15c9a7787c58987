import type { TestProject } from 'vitest/node';
import { startEmbeddedStore } from '../../tools/local/embeddedStore.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    endpoint: string;
  }
}

/**
 * One DynamoDB for all tests, each of which makes its own tables there. It is the embedded one, or the server at `TEST_DYNAMODB`,
 * which `npm run test:dynamodb-local` sets.
 */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DYNAMODB;
  const store = given ? { endpoint: given, stop: () => {} } : await startEmbeddedStore();
  project.provide('endpoint', store.endpoint);
  return store.stop;
}
