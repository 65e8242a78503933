import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { emptyDatabase } from '../../support/postgres-template.ts';
import { quietLog } from '../../support/quiet-log.ts';

const { TEST_DATABASE_URL: serverUrl = '' } = process.env;
if (serverUrl && !hasPgBouncer)
  process.stderr.write('Skipped: connection poolers, because pgbouncer is not installed.\n');

describe.skipIf(!serverUrl || !hasPgBouncer)('a connection pooler', () => {
  it('a pooler in transaction mode stops the start with a message that names the setting', async () => {
    const { server, url } = await emptyDatabase(serverUrl);
    const pooler = await startPgBouncer(url, 'transaction');
    try {
      await expect(
        openDatabase({ databaseUrl: pooler.url, dataDir: ':memory:', log: quietLog }),
      ).rejects.toThrow(
        'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction.',
      );
    } finally {
      await pooler.stop();
      await server.close();
    }
  });

  it('a pooler in session mode works like a direct connection', async () => {
    const { server, url } = await emptyDatabase(serverUrl);
    const pooler = await startPgBouncer(url, 'session');
    try {
      const database = await openDatabase({
        databaseUrl: pooler.url,
        dataDir: ':memory:',
        log: quietLog,
      });
      expect(
        await database.sql<{ count: number }>`select count(*)::int as count from organizations`,
      ).toEqual([{ count: 0 }]);
      await database.close();
    } finally {
      await pooler.stop();
      await server.close();
    }
  });
});
