import { describe, expect, it, vi } from 'vitest';
import { freePort, run } from '../support/process.ts';
import { serversOfTests } from '../support/servers-of-tests.ts';

vi.setConfig({ testTimeout: 60_000 });
const { startForTest, directory } = serversOfTests();

const checkHealth = (settings: Record<string, string>, part: string) =>
  run('src/commands/check-health.ts', settings, [part]).ended;

describe('on a machine with IPv6 only', () => {
  it('the health of each part is checked at HOST, and a vault finds the vector database of its machine', async () => {
    const settings = {
      HOST: '::1',
      VAULT_PORT: String(await freePort()),
      VECTOR_DB_PORT: String(await freePort()),
      VAULT_SECRET: 'a-secret-of-the-test',
    };
    await startForTest({ ...settings, DATA_DIR: directory() }, ['vector-db']);
    await startForTest({ ...settings, DATA_DIR: directory() }, ['vault']);
    expect(await checkHealth(settings, 'vector-db')).toBe(0);
    expect(await checkHealth(settings, 'vault')).toBe(0);
  });

  it('the health of a part that listens on all addresses is checked at the machine itself', async () => {
    const VECTOR_DB_PORT = String(await freePort());
    const settings = { VECTOR_DB_PORT, VAULT_SECRET: 'a-secret-of-the-test' };
    await startForTest({ ...settings, HOST: '::', DATA_DIR: directory() }, ['vector-db']);
    for (const HOST of ['::', '0.0.0.0'])
      expect(await checkHealth({ ...settings, HOST }, 'vector-db')).toBe(0);
  });
});
