import type { Upload } from '../../http/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { removeUnused } from '../../platform/storage/stored-object.ts';
import { checkFileQuota, requireFileQuota } from '../quotas/file-quota.ts';
import type { FileServices } from './file-services.ts';

/** A file whose bytes are stored, under the id that it will have. */
export type ReceivedFile = {
  id: string;
  originalName: string;
  mimeType: string;
  size: number;
  hash: string;
  storageKey: string;
};

type ReceiveDependencies = {
  database: Database;
  files: Pick<FileServices, 'storage' | 'quotas'>;
  clock: Clock;
};

/** `replacedBytes`: the size of the file that this one replaces; null for an additional file. */
type ReceiveFileInput = { organizationId: string; upload: Upload; replacedBytes: number | null };

/**
 * Stores the uploaded bytes and calls `save`, which writes the row. If `save` refuses, the stored
 * object is removed. After any other error the row may or may not exist; the reconciliation removes
 * an object without a row. A file that exceeds the quota of the organization is refused before it
 * is read if its size was announced, and otherwise as soon as that many bytes have arrived. The
 * check in the transaction of `save` is the decisive one.
 */
export async function receiveFile<T>(
  { organizationId, upload, replacedBytes }: ReceiveFileInput,
  { database, files: { storage, quotas }, clock }: ReceiveDependencies,
  save: (
    received: ReceivedFile,
    requireQuota: (tx: Transaction, replacedBytes: number) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const { limits } = quotas;
  const files = replacedBytes === null ? 1 : 0;
  const slot = await quotas.startUpload(organizationId);
  try {
    const oldBytes = replacedBytes ?? 0;
    const announcedBytes = Math.max(1, upload.bytesMin) - oldBytes;
    const limitToQuota = await checkFileQuota(
      { organizationId, limits, files, bytes: announcedBytes, replacedBytes: oldBytes },
      { database },
    );
    const { originalName, mimeType, content } = await upload.open();
    const id = newId(clock().getTime());
    const storageKey = `${organizationId}/${id}`;
    const { bytes: size, hash } = await storage.put(storageKey, limitToQuota(content));
    try {
      const received = { id, originalName, mimeType, size, hash, storageKey };
      return await quotas.commitUpload(organizationId, () =>
        save(received, (tx, oldBytesNow) =>
          requireFileQuota({ organizationId, limits, files, bytes: size - oldBytesNow }, tx),
        ),
      );
    } catch (error) {
      if (error instanceof AppError) await removeUnused(storage, storageKey);
      throw error;
    }
  } finally {
    await slot.end();
  }
}
