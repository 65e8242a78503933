import type { ClientBase } from 'pg';

/**
 * A backup reads the database first and the stored files after it: one that is deleted in between
 * would be missed. So while this lock is held nothing stored is removed; what was deleted stays
 * noted, and goes once the lock is let go. Whoever saw it free had committed the deletion before
 * the backup looked at the database, which then does not know the file.
 */
export const holdLock = 72707370;

/**
 * Runs this while nothing stored is removed by any process. The lock ends with the connection,
 * whatever becomes of us.
 */
export async function whileHeld<T>(connection: ClientBase, run: () => Promise<T>): Promise<T> {
  await connection.query('select pg_advisory_lock($1)', [holdLock]);
  try {
    return await run();
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [holdLock]).catch(() => undefined);
  }
}
