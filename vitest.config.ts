import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They replace modules for all that is loaded after them. */
const ALONE = ['tests/property/{chaos,events,faults}.test.ts'];

/** They end what hangs. Nothing waits for them, and a machine that is eight times slower does not meet them. */
const LIMITS = {
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 300_000, interval: 100 } },
};

export default defineConfig({
  test: {
    globalSetup: ['tests/support/globalStore.ts', 'tests/support/globalService.ts'],
    // More than there are processors only get in each other's way: most of the time is the processor's.
    maxWorkers: availableParallelism(),
    projects: [
      { test: { ...LIMITS, name: 'alone', include: ALONE } },
      // The files of a worker share their modules: much of the time of these tests is that of loading them.
      {
        test: {
          ...LIMITS,
          name: 'service',
          include: ['tests/{integration,property}/**/*.test.ts'],
          exclude: ALONE,
          setupFiles: ['tests/support/leaveNothing.ts'],
          isolate: false,
        },
      },
      { test: { ...LIMITS, name: 'unit', include: ['tests/unit/**/*.test.ts'], isolate: false } },
      // What surrounds the service: how it starts and ends, what is deployed, import and export, verify. Much of it starts services.
      { test: { ...LIMITS, name: 'tools', include: ['tests/tools/**/*.test.ts'] } },
    ],
    coverage: {
      include: ['functions/**/*.ts', 'lib/**/*.ts', 'schemas/**/*.ts'],
      exclude: [
        // These run in processes of their own, which the tests look at from outside.
        'lib/tooling/deploy/**',
        'lib/tooling/local/**',
        'lib/tooling/operations/**',
        'lib/tooling/moving/{copy,copyOptions,copySource,export,import,importOptions,options,output,progress,restoreUser}.ts',
        // These need what a test run does not have: Docker or Python, and Java.
        'lib/tooling/rehearsal/**',
        'lib/tooling/dynamodbLocal/**',
      ],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 90, functions: 90, branches: 85, statements: 90 },
    },
  },
});
