import type { Upload } from '../../graph/upload.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Files } from './files.ts';

/** A file whose bytes are stored, under the id that it will have. */
export type ReceivedFile = { id: string; originalName: string; mimeType: string; size: number; hash: string; storageKey: string };

type Parts = { files: Pick<Files, 'storage'>; clock: Clock };

/**
 * Stores what comes in, then lets `keep` make a row of it. Where that is refused, nothing stays. After any other fault the row
 * may be there or not; an object without one is removed by the sweep.
 */
export async function receiveFile<T>(
  { organizationId, upload }: { organizationId: string; upload: Upload },
  { files: { storage }, clock }: Parts,
  keep: (received: ReceivedFile) => Promise<T>,
): Promise<T> {
  const { originalName, mimeType, content } = await upload.open();
  const id = newId(clock().getTime());
  const storageKey = `${organizationId}/${id}`;
  const { bytes: size, hash } = await storage.put(storageKey, content);
  try {
    return await keep({ id, originalName, mimeType, size, hash, storageKey });
  } catch (error) {
    if (error instanceof AppError) await storage.remove(storageKey);
    throw error;
  }
}
