import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { holdLock } from '../../../platform/storage/hold.ts';
import type { Files } from '../files.ts';

type Parts = { database: Database; files: Pick<Files, 'storage' | 'vault'>; log?: Log };
type Removal = {
  id: string;
  collection: string;
  document: string | null;
  storageKeys: string[];
  attempts: number;
};
type Found = Removal & { isFree: boolean };

/** What was removed: `passages` is null where the vault could not be reached. */
export type Removed = { originals: number; passages: number | null };

const leaseSeconds = 30;

/**
 * Takes what these deletions have left out of storage and vault. What can not be reached now, or a
 * backup still needs, stays noted.
 */
export async function removeLeftovers(
  { removalIds }: { removalIds: string[] },
  parts: Parts,
): Promise<Removed[]> {
  const removals = await parts.database.sql<Found>`
    select id, collection, document, storage_keys as "storageKeys", attempts, pg_try_advisory_xact_lock_shared(${holdLock}) as "isFree"
    from file_removals where id = any(${removalIds}) order by id`;
  const removed: Removed[] = [];
  for (const { isFree, ...removal } of removals)
    removed.push(isFree ? await remove(removal, parts) : { originals: 0, passages: null });
  return removed;
}

/** The same for the deletion that has waited longest. False where none waits. */
export async function removeNextLeftover(parts: Parts): Promise<boolean> {
  const [removal] = await parts.database.sql<Removal>`
    update file_removals set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
    where id = (
      select id from file_removals
      where (next_attempt_at is null or next_attempt_at <= clock_timestamp()) and (lease_until is null or lease_until < clock_timestamp())
        and pg_try_advisory_xact_lock_shared(${holdLock})
      order by created_at, id limit 1 for update skip locked)
    returning id, collection, document, storage_keys as "storageKeys", attempts`;
  if (removal) await remove(removal, parts);
  return removal !== undefined;
}

async function remove(removal: Removal, parts: Parts): Promise<Removed> {
  const { database, files, log } = parts;
  let originals = 0;
  try {
    for (const key of removal.storageKeys) {
      await files.storage.remove(key);
      originals += 1;
    }
    const passages = await removePassages(removal, parts);
    await database.sql`delete from file_removals where id = ${removal.id}`;
    return { originals, passages };
  } catch (error) {
    if (!(error instanceof AppError))
      log?.warn({ err: error }, 'what a deletion left could not be removed yet');
    const seconds = Math.min(60, 2 ** removal.attempts);
    await database.sql`
      update file_removals set lease_until = null, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds}) where id = ${removal.id}`;
    return { originals, passages: null };
  }
}

async function removePassages(
  { collection, document }: Removal,
  { database, files: { vault } }: Parts,
): Promise<number> {
  if (document === null) return (await vault.removeCollection({ collection })).passages;
  // A document that answers for another until that one is there goes when the vault swaps the two.
  const [needed] =
    await database.sql`select id from assistant_files where replaces_id = ${document} or id = ${document} limit 1`;
  return needed ? 0 : (await vault.remove({ collection, document })).passages;
}
