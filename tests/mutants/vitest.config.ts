import { defineConfig } from 'vitest/config';

/** For a tool that breaks the sources: the fast tests of what it breaks. */
export default defineConfig({
  test: { include: ['tests/unit/{users,dynamodb,auth,http}/**/*.test.ts'], isolate: false, testTimeout: 60_000 },
});
