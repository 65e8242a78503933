import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../platform/errors.ts';
import type { ProcessingParts } from './process-file.ts';

// An upload that is under way has stored its object before it has a row.
const orphanedMs = 60 * 60 * 1000;
const keysAtOnce = 500;
const retryMs = 5_000;

/**
 * At the start of a process: rows, stored files and what the vault holds are made to agree, both
 * ways. Whatever a killed process or a lost disk left is removed, or processed again. The vault and
 * the storage may come up later than we do.
 */
export async function reconcile(parts: ProcessingParts, stopping: AbortSignal): Promise<void> {
  for (const part of [reconcileStorage, reconcileVault]) {
    while (!stopping.aborted) {
      try {
        await part(parts, stopping);
        break;
      } catch (error) {
        if (!(error instanceof AppError))
          parts.log.warn({ err: error }, 'files, rows and passages could not be compared yet');
        await pause(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  }
}

/** Objects that no row and no deletion knows are removed. */
async function reconcileStorage(
  { database, files: { storage }, log }: ProcessingParts,
  stopping: AbortSignal,
): Promise<void> {
  await storage.sweep();
  let keys: string[] = [];
  const removeUnknown = async () => {
    const known = new Set(
      (
        await database.sql<{ key: string }>`
          select storage_key as key from assistant_files where storage_key = any(${keys})
          union all select key from file_removals, unnest(storage_keys) key where key = any(${keys})`
      ).map(({ key }) => key),
    );
    const unknown = keys.filter((key) => !known.has(key));
    for (const key of unknown) await storage.remove(key);
    if (unknown.length > 0)
      log.info({ count: unknown.length }, 'stored files without a row were removed');
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
 * Files whose passages the vault has not are processed again; passages of files that are no more
 * are removed.
 */
async function reconcileVault(
  { database, files: { vault }, log }: ProcessingParts,
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
      log.info({ collection, count: missing.length }, 'files without passages are processed again');
    }
    // Rows are read after the documents: a document that has just been made has had its row for a
    // while.
    const names = [...documents];
    const known = new Set(
      (
        await database.sql<{ id: string }>`
          select id from assistant_files where assistant_id = ${collection} and id = any(${names})
          union all select replaces_id from assistant_files where assistant_id = ${collection} and replaces_id = any(${names})`
      ).map(({ id }) => id),
    );
    for (const document of names)
      if (!known.has(document)) await vault.remove({ collection, document });
  }
}

type Vault = ProcessingParts['files']['vault'];
type Page = { next: string | null };

async function collectionsOf(vault: Vault): Promise<string[]> {
  const pages = await everyPage((after) => vault.collections(after));
  return pages.flatMap(({ collections }) => collections.map(({ collection }) => collection));
}

async function documentsOf(vault: Vault, collection: string): Promise<Set<string>> {
  try {
    const pages = await everyPage((after) => vault.documents({ collection, ...after }));
    return new Set(pages.flatMap(({ documents }) => documents.map(({ document }) => document)));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return new Set();
    throw error;
  }
}

async function everyPage<Found extends Page>(
  read: (after: { after?: string }) => Promise<Found>,
): Promise<Found[]> {
  const pages: Found[] = [];
  for (let page = await read({}); ; page = await read({ after: page.next })) {
    pages.push(page);
    if (page.next === null) return pages;
  }
}
