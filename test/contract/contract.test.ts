import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areas } from './areas.ts';
import { startOwnServer } from './own-server.ts';
import { runSuite } from './suite.ts';

let server: Awaited<ReturnType<typeof startOwnServer>>;
beforeAll(async () => {
  server = await startOwnServer();
}, 300_000);
afterAll(() => server.close());

describe('npm run contract', () => {
  it('finds every sentence of the contract and every decision kept, over real sockets', { timeout: 600_000 }, async () => {
    const { url, credentials } = server;
    const report = await runSuite(areas, { url, credentials, disposable: true, note: () => undefined });
    expect(report.failures).toEqual([]);
    expect(Object.fromEntries(report.leftOut)).toEqual({});
    expect(report.count).toBeGreaterThan(2500);
  });
});
