import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/long/**'],
    globalSetup: ['tests/support/globalStore.ts'],
    maxWorkers: 3,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    coverage: {
      include: ['functions/**/*.ts', 'lib/**/*.ts', 'schemas/**/*.ts'],
      // These run in processes of their own, which the tests look at from outside.
      exclude: [
        'lib/tooling/deploy/**',
        'lib/tooling/local/**',
        'lib/tooling/operations/**',
        'lib/tooling/moving/{import,export,output,progress}.ts',
      ],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 90, functions: 90, branches: 85, statements: 90 },
    },
  },
});
