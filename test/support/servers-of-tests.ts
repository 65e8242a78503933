import { afterAll, afterEach } from 'vitest';
import { type RunningServer, start, temporaryDirectory } from './process.ts';

/** Starts servers that end after their test. Their directories are removed after all tests. */
export function serversOfTests() {
  const running: RunningServer[] = [];
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) {
      server.process.kill('SIGKILL');
      await server.ended;
    }
  });
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup();
  });
  return {
    async startForTest(...startArguments: Parameters<typeof start>): Promise<RunningServer> {
      const server = await start(...startArguments);
      running.push(server);
      return server;
    },
    directory(): string {
      const { path, remove } = temporaryDirectory();
      cleanups.push(remove);
      return path;
    },
    /** Called after all tests. */
    afterTests(cleanup: () => unknown): void {
      cleanups.push(cleanup);
    },
  };
}
