import type { Pool } from 'pg';
import type { DatabaseLog } from './database-log.ts';

const schedule = { checkpointEveryMs: 60_000, vacuumEveryMs: 15 * 60_000 };

/**
 * Checkpoints and vacuums the embedded database, which a Postgres server does by itself. Without
 * this the write-ahead log grew to 1.3 GB.
 */
export function startMaintenance(
  pool: Pool,
  log: DatabaseLog,
  { checkpointEveryMs, vacuumEveryMs } = schedule,
): () => void {
  const repeat = (task: () => Promise<unknown>, ms: number) =>
    setInterval(() => {
      task().catch((error: unknown) =>
        log.warn({ err: error }, 'maintenance of the embedded database failed'),
      );
    }, ms).unref();
  const timers = [
    repeat(() => pool.query('checkpoint'), checkpointEveryMs),
    repeat(() => vacuum(pool), vacuumEveryMs),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

// Vacuums table by table, so that requests can run in between. The system tables, which would take
// 0.2 s, do not change.
async function vacuum(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    "select format('vacuum (analyze) %I', tablename) as statement from pg_tables where schemaname = 'public'",
  );
  for (const { statement } of rows) await pool.query(statement);
}
