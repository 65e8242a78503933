import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { removeUnused, StoredObjectMissing } from '../../platform/storage/stored-object.ts';
import type { Person } from '../assistants/access.ts';
import type { RecordChanges } from '../audit/record-change.ts';
import { checkFileQuota, requireFileQuota } from '../quotas/file-quota.ts';
import type { FileServices } from './file-services.ts';
import type { ReceivedFile } from './receive-file.ts';
import { recordUploads, storeFile } from './store-file.ts';

/** An assistant with more files is duplicated without them: the request would take too long. */
const filesMax = 1_000;
const copiesAtOnce = 4;

/** Adds the copied files to an assistant, in the transaction that creates it. */
export type AddCopiedFiles = (
  assistantId: string,
  tx: Transaction,
  record: RecordChanges,
  at: Date,
) => Promise<void>;

type CopyDependencies = {
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage' | 'quotas'>;
};

/**
 * Copies the stored files of an assistant, which the person may edit, and calls `save`, which adds
 * them to another one. If `save` refuses, the copies are removed; after any other error the
 * reconciliation removes those without a row. A file that could not be read is left out, and one
 * that is deleted meanwhile as well.
 */
export async function copyFiles<T>(
  { assistantId, person }: { assistantId: string; person: Person },
  { database, clock, files: { storage, quotas } }: CopyDependencies,
  save: (add: AddCopiedFiles) => Promise<T>,
): Promise<T> {
  const { organizationId, userId } = person;
  const { limits } = quotas;
  const slot = await quotas.startUpload(organizationId);
  try {
    const sources = await database.sql<ReceivedFile>`
      select id, original_name as "originalName", mime_type as "mimeType", size::float8 as size, hash, storage_key as "storageKey"
      from assistant_files
      where assistant_id = ${assistantId} and organization_id = ${organizationId} and status <> 'FAILED'
      order by created_at, id limit ${filesMax + 1}`;
    if (sources.length > filesMax)
      throw new AppError(
        'BAD_INPUT',
        `An assistant can be duplicated with at most ${filesMax.toLocaleString('en')} files; duplicate this one without its files`,
        'TOO_MANY_FILES_TO_COPY',
      );
    const bytes = sumOf(sources);
    if (sources.length > 0)
      await checkFileQuota(
        { organizationId, limits, files: sources.length, bytes, replacedBytes: 0 },
        { database },
      );
    // In the order of the originals.
    const ids = sources.map(() => newId(clock().getTime())).toSorted();
    const planned = sources.map((source, index) => {
      const id = ids[index] ?? '';
      return { source, copy: { ...source, id, storageKey: `${organizationId}/${id}` } };
    });
    const copied = new Set<ReceivedFile>();
    let hasFailed = false;
    const remaining = planned.values();
    const copyNext = async () => {
      for (const { source, copy } of remaining) {
        if (hasFailed) return;
        try {
          await storage.copy(source.storageKey, copy.storageKey);
          copied.add(copy);
        } catch (error) {
          if (error instanceof StoredObjectMissing) continue;
          hasFailed = true;
          throw error;
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: copiesAtOnce }, copyNext));
      const copies = planned.map(({ copy }) => copy).filter((copy) => copied.has(copy));
      return await quotas.commitUpload(organizationId, () =>
        save(async (copyId, tx, record, at) => {
          if (copies.length === 0) return;
          await requireFileQuota(
            { organizationId, limits, files: copies.length, bytes: sumOf(copies) },
            tx,
          );
          for (const copy of copies)
            storeFile(
              { ...copy, assistantId: copyId, organizationId, uploadedById: userId, at },
              tx,
            );
          recordUploads(record, copyId, copies);
        }),
      );
    } catch (error) {
      if (error instanceof AppError)
        for (const { storageKey } of copied) await removeUnused(storage, storageKey);
      throw error;
    }
  } finally {
    await slot.end();
  }
}

const sumOf = (files: readonly ReceivedFile[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);
