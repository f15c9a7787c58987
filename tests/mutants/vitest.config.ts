import { defineConfig } from 'vitest/config';

/** The fast tests of the sources that Stryker breaks. */
export default defineConfig({
  test: {
    include: ['tests/unit/{changes,dynamodb,edits,http,replica,rest,users}/**/*.test.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
