import { availableParallelism, platform } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * The first two replace modules, and would replace them for the next files of the same worker, too. The others collect garbage and count
 * bytes: beside what other files have left, each collection takes many times as long, and their bytes are counted, too.
 */
const ALONE = [
  'tests/property/events.test.ts',
  'tests/integration/largest.test.ts',
  'tests/unit/columns/stored/carried.test.ts',
  'tests/unit/columns/work/kept.test.ts',
];

/** The bash of its examples is not on Windows. */
const ON_WINDOWS_NOT = platform() === 'win32' ? ['tests/integration/http/clients.test.ts'] : [];

/** No test reaches AWS, or reads what a developer has set up for it. */
const env = { AWS_REGION: 'local', AWS_PROFILE: '', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

/** The limits end what hangs. No test waits for them, and a machine eight times as slow does not reach them. The long run does more. */
const LIMITS = {
  testTimeout: 900_000 * Number(process.env.TIMES ?? 1),
  hookTimeout: 900_000,
  expect: { poll: { timeout: 300_000, interval: 100 } },
  env,
};

/** Nothing of a test is left to the next one. */
const CLEAN = { restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

export default defineConfig({
  test: {
    globalSetup: 'tests/support/globalSetup.ts',
    // Most of the time is processor time, but some tests wait for a service. With two more workers they would slow each other down.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...LIMITS, name: 'alone', include: ALONE } },
      // The files of a worker share modules, because loading them takes much of the time.
      {
        test: {
          ...LIMITS,
          name: 'service',
          include: ['tests/{integration,property}/**/*.test.ts'],
          exclude: [...ALONE, ...ON_WINDOWS_NOT],
          setupFiles: ['tests/support/leaveNothing.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...LIMITS,
          ...CLEAN,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          exclude: ALONE,
          setupFiles: ['tests/support/endEndless.ts'],
          isolate: false,
          // The longest takes a few seconds. A loop that a bug has made endless is told within a run.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // What is around the service: start and end, deployment, import and export, verify. Many of these tests start services.
      { test: { ...LIMITS, name: 'tools', include: ['tests/tools/**/*.test.ts'] } },
      // What takes many minutes.
      { test: { ...LIMITS, name: 'long', include: ['tests/long/**/*.test.ts'] } },
      // Each door beside the service, judged by strangers.
      { test: { ...LIMITS, name: 'doors', include: ['doors/*/*.test.ts', 'doors/*.test.ts'] } },
    ],
    coverage: {
      include: ['{admin,functions,lib,schemas,tools}/**/*.ts'],
      exclude: [
        // These run in other processes, which tests see only from outside.
        'tools/deploy/**',
        'tools/doors/**',
        'tools/local/**',
        'tools/operate/**',
        'tools/import/{export,import,importOptions}.ts',
        'tools/program/{options,progress}.ts',
        // These need Python or Java, which a test run may not have.
        'tools/check/**',
      ],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 90, functions: 90, branches: 85, statements: 90 },
    },
  },
});
