import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every test file is a process of its own, and many start others: half of what each spends on
// loading our sources was done before.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'atrium-compiled');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**'],
    pool: 'forks',
    // A limit is for what hangs: on a machine that is busy everything takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: 'test/support/say-what-is-left-out.ts',
    // Node runs the sources itself, as it does in production: one kind of module resolution, one
    // instance of graphql.
    experimental: { viteModuleRunner: false },
    // Files share the sources that a worker has loaded, and nothing else: every application and
    // database is made anew.
    isolate: false,
  },
});
