import type { Upload } from '../../graph/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { checkFileQuota, requireFileQuota } from '../quotas/file-quota.ts';
import type { Files } from './files.ts';

/** A file whose bytes are stored, under the id that it will have. */
export type ReceivedFile = {
  id: string;
  originalName: string;
  mimeType: string;
  size: number;
  hash: string;
  storageKey: string;
};

type Parts = { database: Database; files: Pick<Files, 'storage' | 'quotas'>; clock: Clock };

/** `replacedBytes`: the size of the file in whose place this one comes; null for one more file. */
type Incoming = { organizationId: string; upload: Upload; replacedBytes: number | null };

/**
 * Stores what comes in, then lets `keep` make a row of it. Where that is refused, nothing stays.
 * After any other fault the row may be there or not; an object without one is removed by the sweep.
 * What does not fit into the organization's quotas is refused before it is read where its size was
 * announced, else as soon as it has come that far; the row decides.
 */
export async function receiveFile<T>(
  { organizationId, upload, replacedBytes }: Incoming,
  { database, files: { storage, quotas }, clock }: Parts,
  keep: (
    received: ReceivedFile,
    requireQuota: (tx: Prisma.TransactionClient, replacedBytes: number) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const { limits } = quotas;
  const files = replacedBytes === null ? 1 : 0;
  const end = await quotas.startUpload(organizationId);
  try {
    const replaced = replacedBytes ?? 0;
    const announced = Math.max(1, upload.bytesMin) - replaced;
    const within = await checkFileQuota(
      { organizationId, limits, files, bytes: announced, replacedBytes: replaced },
      { database },
    );
    const { originalName, mimeType, content } = await upload.open();
    const id = newId(clock().getTime());
    const storageKey = `${organizationId}/${id}`;
    const { bytes: size, hash } = await storage.put(storageKey, within(content));
    try {
      const received = { id, originalName, mimeType, size, hash, storageKey };
      return await quotas.commitUpload(organizationId, () =>
        keep(received, (tx, replacedNow) =>
          requireFileQuota({ organizationId, limits, files, bytes: size - replacedNow }, tx),
        ),
      );
    } catch (error) {
      if (error instanceof AppError) await storage.remove(storageKey);
      throw error;
    }
  } finally {
    await end();
  }
}
