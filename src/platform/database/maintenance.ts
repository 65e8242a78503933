import type { Pool } from 'pg';
import type { DatabaseLog } from './database.ts';

const schedule = { checkpointEveryMs: 60_000, vacuumEveryMs: 15 * 60_000 };

/**
 * What a Postgres server does in the background and the embedded one does not; without it the log
 * alone grew to 1.3 GB.
 */
export function startMaintenance(
  pool: Pool,
  log: DatabaseLog,
  { checkpointEveryMs, vacuumEveryMs } = schedule,
): () => void {
  const repeat = (work: () => Promise<unknown>, ms: number) =>
    setInterval(() => {
      work().catch((error: unknown) =>
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

// Table by table, so that requests come in between; the system's own tables, 0.2 s of work, do not
// change.
async function vacuum(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    "select format('vacuum (analyze) %I', tablename) as statement from pg_tables where schemaname = 'public'",
  );
  for (const { statement } of rows) await pool.query(statement);
}
