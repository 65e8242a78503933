import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    globalSetup: 'test/support/say-what-is-left-out.ts',
    // Node runs the sources itself, as it does in production: one kind of module resolution, one instance of graphql.
    experimental: { viteModuleRunner: false },
  },
});
