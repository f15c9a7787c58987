import type { TestProject } from 'vitest/node';
import { startEmbeddedStore } from '../../lib/tooling/local/embeddedStore.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    endpoint: string;
  }
}

/** One embedded DynamoDB for all tests; each of them makes tables of its own in it. */
export default async function setup(project: TestProject) {
  const store = await startEmbeddedStore();
  project.provide('endpoint', store.endpoint);
  return store.stop;
}
