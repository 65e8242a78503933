import type { ClientBase } from 'pg';

/**
 * Advisory lock that prevents the deletion of stored objects. A backup reads the database first and
 * the objects after it, so an object that is deleted in between would be missing. While the lock is
 * held, deletions are only recorded, and they are carried out after its release. A process that
 * found the lock free had committed its deletion before the backup read the database, so the backup
 * does not refer to that object.
 */
export const deletionLock = 72707370;

/**
 * Runs `run` while no process removes a stored object. Postgres releases the lock when the
 * connection ends, so a crash cannot leave it behind.
 */
export async function withDeletionLock<T>(
  connection: ClientBase,
  run: () => Promise<T>,
): Promise<T> {
  await connection.query('select pg_advisory_lock($1)', [deletionLock]);
  try {
    return await run();
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [deletionLock]).catch(() => undefined);
  }
}
