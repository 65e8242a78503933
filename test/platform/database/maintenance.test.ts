import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEmbeddedServer } from '../../../src/platform/database/embedded.ts';
import { startMaintenance } from '../../../src/platform/database/maintenance.ts';
import { openPgliteInMemory } from '../../../src/platform/database/pglite.ts';
import type { DatabaseServer } from '../../../src/platform/database/pooled-client.ts';
import { serverUrl } from '../../support/database.ts';
import { embeddedTemplate } from '../../support/embedded-template.ts';
import { quietLog } from '../../support/quiet-log.ts';

let server: DatabaseServer;
let pool: Pool;

beforeAll(async () => {
  server = createEmbeddedServer(await openPgliteInMemory(await embeddedTemplate()));
  pool = server.openPool(1);
});
afterAll(() => server.close());

const never = 1_000_000;

async function until(query: string): Promise<void> {
  while ((await pool.query(query)).rows.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.skipIf(serverUrl)('maintenance of the embedded database', () => {
  it('maintenance runs checkpoints regularly', async () => {
    await pool.query(
      "insert into users (id, email) select n::text, n || '@bulk.example' from generate_series(1, 1000) n",
    );
    const { rows } = await pool.query<{ behind: string }>(
      'select pg_current_wal_insert_lsn() as behind',
    );
    const stop = startMaintenance(pool, quietLog, { checkpointEveryMs: 10, vacuumEveryMs: never });
    await until(`select from pg_control_checkpoint() where redo_lsn >= '${rows[0]?.behind}'`);
    stop();
  });

  it('maintenance runs no checkpoint on a full disk, because that would end the database', async () => {
    const { rows: before } = await pool.query('select redo_lsn from pg_control_checkpoint()');
    const warnings: string[] = [];
    const stop = startMaintenance(
      pool,
      { ...quietLog, warn: (_fields, message) => warnings.push(message) },
      { checkpointEveryMs: 10, vacuumEveryMs: never, hasSpaceForCheckpoint: async () => false },
    );
    await vi.waitFor(() => expect(warnings.length).toBeGreaterThan(1));
    stop();
    expect((await pool.query('select redo_lsn from pg_control_checkpoint()')).rows).toEqual(before);
    expect(warnings[0]).toBe('The disk of the embedded database is full. Free some space');
  });

  it('maintenance updates the planner statistics', async () => {
    const stop = startMaintenance(pool, quietLog, { checkpointEveryMs: never, vacuumEveryMs: 10 });
    await until("select from pg_class where relname = 'users' and reltuples = 1000");
    stop();
  });

  it('failed maintenance is logged and tried again', async () => {
    const closed = server.openPool(1);
    await closed.end();
    const { promise: failedTwice, resolve } = Promise.withResolvers<void>();
    const warnings: string[] = [];
    const warn = (_fields: object, message: string) => {
      if (warnings.push(message) === 2) resolve();
    };
    const stop = startMaintenance(
      closed,
      { ...quietLog, warn },
      { checkpointEveryMs: 1, vacuumEveryMs: never },
    );
    await failedTwice;
    stop();
    expect(warnings[0]).toBe('maintenance of the embedded database failed');
  });
});
