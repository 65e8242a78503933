import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyChunks, type RequestBody } from '../../http/content-coding.ts';
import { AppError } from '../../platform/errors.ts';
import { openProcessDirectory } from '../../platform/process-directory.ts';
import { writeNewFile } from '../../platform/write-new-file.ts';
import type { SourceFile } from '../extract/block.ts';

/** 150 MB. A file of exactly this size is accepted. */
export const documentBytesMax = 157_286_400;

export type ReceivedFile = {
  path: string;
  bytes: number;
  /** SHA-256, in hexadecimal. */
  hash: string;
  remove: () => Promise<void>;
};
export type WorkDirectory = Awaited<ReturnType<typeof openWorkDirectory>>;

/** The fields of a file that its reader process gets. */
export const sourceOf = ({ path, bytes }: ReceivedFile): SourceFile => ({ path, bytes });

/**
 * The directory for received files while they are read, under random names. Each process has its own
 * subdirectory; those of processes that have ended are deleted.
 */
export async function openWorkDirectory(directory: string, bytesMax = documentBytesMax) {
  const { path: processDirectory, close } = await openProcessDirectory(directory);

  return {
    /** Writes a request body to a new file. The caller removes the file. */
    async receive(request: RequestBody): Promise<ReceivedFile> {
      const path = join(processDirectory, randomUUID());
      const remove = () => rm(path, { force: true });
      try {
        const { bytes, hash } = await writeNewFile(
          path,
          bodyChunks(request, { bytesMax }),
          () => new AppError('STORAGE_FULL', 'The vault has no space left for this file'),
        );
        return { path, bytes, hash: hash.toString('hex'), remove };
      } catch (error) {
        await remove();
        throw error;
      }
    },
    close,
  };
}
