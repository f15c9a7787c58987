import { defineConfig } from 'vitest/config';

/** The fast tests of the sources that Stryker breaks. */
export default defineConfig({
  test: { include: ['tests/unit/{users,dynamodb,auth,http}/**/*.test.ts'], isolate: false, testTimeout: 60_000 },
});
