import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { selectedLanes, testFiles } from './test/lanes.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Every test file runs in its own process, and many start others. The compile cache saves half of
// the time to load our sources.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'atrium-compiled');

export default defineConfig({
  test: {
    include: testFiles(...selectedLanes(process.env['TEST_LANE'], process.argv.slice(2))),
    pool: 'forks',
    // Test files wait for processes, disks and browsers for a third of the time, so three workers use
    // two cores well.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // The limits are only for tests that hang: on a busy machine everything is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/support/report-skipped-tests.ts', 'test/support/build-reader.ts'],
    // Node runs the sources itself, as in production: one kind of module resolution, one instance
    // of graphql. The hooks that replace modules by mocks are off, because no test uses `vi.mock`.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Test files of one worker share the loaded sources and nothing else: each creates its own
    // applications and databases.
    isolate: false,
  },
});
