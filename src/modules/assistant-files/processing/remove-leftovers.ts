import type { Database } from '../../../platform/database/database.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { isTooFarAhead, notTooFarAhead } from '../../../platform/database/times-ahead.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { deletionLock } from '../../../platform/storage/deletion-lock.ts';
import type { FileServices } from '../file-services.ts';

type RemovalDependencies = {
  database: Database;
  files: Pick<FileServices, 'storage' | 'vault'>;
  log?: Log;
};
type FileRemoval = {
  id: string;
  /** Null: the vault has nothing of it. */
  collection: string | null;
  document: string | null;
  storageKeys: string[];
  attempts: number;
};
type LockedRemoval = FileRemoval & { isFree: boolean };

/** What was removed. `passages` is null if the vault could not be reached. */
export type RemovalResult = { originals: number; passages: number | null };

export const removalLeaseSeconds = 30;
const pauseSecondsMax = 60;

/**
 * Removes the stored objects and passages of these deletions. What cannot be reached now, or is
 * still needed by a running backup, stays in the table for a later attempt.
 */
export async function removeLeftovers(
  { removalIds }: { removalIds: string[] },
  dependencies: RemovalDependencies,
): Promise<RemovalResult[]> {
  const removals = await dependencies.database.sql<LockedRemoval>`
    select id, collection, document, storage_keys as "storageKeys", attempts, pg_try_advisory_xact_lock_shared(${deletionLock}) as "isFree"
    from file_removals where id = any(${removalIds}) order by id`;
  const results: RemovalResult[] = [];
  for (const { isFree, ...removal } of removals)
    results.push(isFree ? await remove(removal, dependencies) : { originals: 0, passages: null });
  return results;
}

/** Shortens leases and pauses from before the clock of the database was set back. */
export async function shortenRemovalTimes({
  database: { sql },
}: Pick<RemovalDependencies, 'database'>): Promise<void> {
  const lease = fragment`lease_until`;
  const next = fragment`next_attempt_at`;
  await sql`
    update file_removals
    set lease_until = ${notTooFarAhead(lease, removalLeaseSeconds)}, next_attempt_at = ${notTooFarAhead(next, pauseSecondsMax)}
    where ${isTooFarAhead(lease, removalLeaseSeconds)} or ${isTooFarAhead(next, pauseSecondsMax)}`;
}

/** Does the same for the deletion that has waited longest. Returns false if no deletion waits. */
export async function removeNextLeftover(dependencies: RemovalDependencies): Promise<boolean> {
  const [removal] = await dependencies.database.sql<FileRemoval>`
    update file_removals set lease_until = clock_timestamp() + make_interval(secs => ${removalLeaseSeconds}), attempts = attempts + 1
    where id = (
      select id from file_removals
      where (next_attempt_at is null or next_attempt_at <= clock_timestamp()) and (lease_until is null or lease_until < clock_timestamp())
        and pg_try_advisory_xact_lock_shared(${deletionLock})
      order by created_at, id limit 1 for update skip locked)
    returning id, collection, document, storage_keys as "storageKeys", attempts`;
  if (removal) await remove(removal, dependencies);
  return removal !== undefined;
}

async function remove(
  removal: FileRemoval,
  dependencies: RemovalDependencies,
): Promise<RemovalResult> {
  const { database, files, log } = dependencies;
  let originals = 0;
  try {
    for (const key of removal.storageKeys) {
      await files.storage.remove(key);
      originals += 1;
    }
    const passages = await removePassages(removal, dependencies);
    await database.sql`delete from file_removals where id = ${removal.id}`;
    return { originals, passages };
  } catch (error) {
    if (!(error instanceof AppError))
      log?.warn({ err: error }, 'What a deletion left behind could not be removed yet');
    const seconds = Math.min(pauseSecondsMax, 2 ** removal.attempts);
    await database.sql`
      update file_removals set lease_until = null, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${removal.id}`;
    return { originals, passages: null };
  }
}

async function removePassages(
  { collection, document }: FileRemoval,
  { database, files: { vault } }: RemovalDependencies,
): Promise<number> {
  if (collection === null) return 0;
  if (document === null) return (await vault.removeCollection({ collection })).passages;
  // Runs still search the document of a previous version until its replacement is COMPLETED. The
  // vault removes it when it swaps the two versions.
  const [needed] =
    await database.sql`select id from assistant_files where replaces_id = ${document} or id = ${document} limit 1`;
  return needed ? 0 : (await vault.remove({ collection, document })).passages;
}
