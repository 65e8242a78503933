import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../platform/errors.ts';
import { explainVaultFault } from '../../../vault/client.ts';
import type { ProcessingDependencies } from './process-file.ts';

// An upload stores its object before it writes its row, so an object without a row is removed only
// once it is an hour old.
const orphanedMs = 60 * 60 * 1000;
const keysAtOnce = 500;
const retryMs = 5_000;

/**
 * Runs at the start of a process and makes the rows, the stored files and the documents in the
 * vault agree. What a killed process or a lost disk left is removed or processed again. The vault
 * and the storage may start later than this process, so every step is retried.
 */
export async function reconcile(
  dependencies: ProcessingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  for (const reconcileStore of [reconcileStorage, reconcileVault]) {
    let lastReason: string | undefined;
    while (!stopping.aborted) {
      try {
        await reconcileStore(dependencies, stopping);
        break;
      } catch (error) {
        const reason = error instanceof AppError ? explainVaultFault(error) : undefined;
        // An outage is logged once.
        if (reason === undefined || reason !== lastReason)
          dependencies.log.warn(
            reason === undefined ? { err: error } : { reason },
            'Stored files, rows and passages could not be compared yet',
          );
        lastReason = reason;
        await pause(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  }
}

/** Removes stored objects that no file, attachment or pending removal names. */
async function reconcileStorage(
  { database, files: { storage }, log }: ProcessingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  await storage.sweep();
  let keys: string[] = [];
  const removeUnknown = async () => {
    const knownKeys = new Set(
      (
        await database.sql<{ key: string }>`
          select storage_key as key from assistant_files where storage_key = any(${keys})
          union all select storage_key from conversation_attachments where storage_key = any(${keys})
          union all select key from file_removals, unnest(storage_keys) key where key = any(${keys})`
      ).map(({ key }) => key),
    );
    const unknown = keys.filter((key) => !knownKeys.has(key));
    for (const key of unknown) await storage.remove(key);
    if (unknown.length > 0)
      log.info({ count: unknown.length }, 'Stored files without a row were removed');
    keys = [];
  };
  for await (const { key, modifiedAt } of storage.list()) {
    if (stopping.aborted) return;
    if (Date.now() - modifiedAt.getTime() > orphanedMs) keys.push(key);
    if (keys.length >= keysAtOnce) await removeUnknown();
  }
  await removeUnknown();
}

/**
 * Files whose passages are missing in the vault are processed again. Passages of files that no
 * longer exist are removed.
 */
async function reconcileVault(
  { database, files: { vault }, log }: ProcessingDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const completed = await database.sql<{ id: string; assistantId: string }>`
    select id, assistant_id as "assistantId" from assistant_files where status = 'COMPLETED'`;
  const expected = Map.groupBy(completed, ({ assistantId }) => assistantId);
  const collections = new Set([...expected.keys(), ...(await collectionsOf(vault))]);
  for (const collection of collections) {
    if (stopping.aborted) return;
    const documents = await documentsOf(vault, collection);
    const missing = (expected.get(collection) ?? [])
      .filter(({ id }) => !documents.has(id))
      .map(({ id }) => id);
    if (missing.length > 0) {
      await database.sql`
        update assistant_files set status = 'PENDING', derivations = '{}', attempts = 0, next_attempt_at = null
        where id = any(${missing}) and status = 'COMPLETED'`;
      log.info({ collection, count: missing.length }, 'Files without passages are processed again');
    }
    // The rows are read after the documents. A document that was created in between already had its
    // row.
    const documentIds = [...documents];
    const knownIds = new Set(
      (
        await database.sql<{ id: string }>`
          select id from assistant_files where assistant_id = ${collection} and id = any(${documentIds})
          union all select replaces_id from assistant_files where assistant_id = ${collection} and replaces_id = any(${documentIds})`
      ).map(({ id }) => id),
    );
    for (const document of documentIds)
      if (!knownIds.has(document)) await vault.remove({ collection, document });
  }
}

type FileVault = ProcessingDependencies['files']['vault'];
type CursorPage = { next: string | null };

async function collectionsOf(vault: FileVault): Promise<string[]> {
  const pages = await everyPage((after) => vault.collections(after));
  return pages.flatMap(({ collections }) => collections.map(({ collection }) => collection));
}

async function documentsOf(vault: FileVault, collection: string): Promise<Set<string>> {
  try {
    const pages = await everyPage((after) => vault.documents({ collection, ...after }));
    return new Set(pages.flatMap(({ documents }) => documents.map(({ document }) => document)));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return new Set();
    throw error;
  }
}

async function everyPage<ResultPage extends CursorPage>(
  read: (after: { after?: string }) => Promise<ResultPage>,
): Promise<ResultPage[]> {
  const pages: ResultPage[] = [];
  for (let page = await read({}); ; page = await read({ after: page.next })) {
    pages.push(page);
    if (page.next === null) return pages;
  }
}
