import type { TestProject } from 'vitest/node';
import { startEmbeddedStore } from '../../lib/tooling/local/embeddedStore.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    endpoint: string;
  }
}

/**
 * One DynamoDB for all tests, in which each of them makes tables of its own: the embedded one, or the one at `TEST_DYNAMODB`,
 * as `npm run test:dynamodb-local` has it.
 */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DYNAMODB;
  const store = given ? { endpoint: given, stop: () => {} } : await startEmbeddedStore();
  project.provide('endpoint', store.endpoint);
  return store.stop;
}
