import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bodyChunks, type RequestBody } from '../../platform/content-coding.ts';
import { AppError } from '../../platform/errors.ts';
import { openProcessDirectory } from '../../platform/process-directory.ts';
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
      const hash = createHash('sha256');
      let bytes = 0;
      async function* countBytes(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      }
      try {
        const body = bodyChunks(request, { bytesMax });
        // The file is opened before the body is read. A stream that opens the file itself could do so
        // after the file was removed.
        const file = await open(path, 'wx', 0o600);
        await pipeline(countBytes(body), file.createWriteStream());
      } catch (error) {
        await remove();
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
          throw new AppError('STORAGE_FULL', 'The vault has no space left for this file');
        throw error;
      }
      return { path, bytes, hash: hash.digest('hex'), remove };
    },
    close,
  };
}
