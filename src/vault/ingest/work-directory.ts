import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bytesOf, type SentBody } from '../../platform/content-coding.ts';
import { AppError } from '../../platform/errors.ts';
import { openProcessDirectory } from '../../platform/process-directory.ts';
import type { Source } from '../extract/block.ts';

/** 150 MB: exactly that is taken, one byte more is refused. */
export const documentBytesMax = 157_286_400;

export type Received = {
  path: string;
  bytes: number /** SHA-256, in hexadecimal. */;
  hash: string;
  remove: () => Promise<void>;
};
export type WorkDirectory = Awaited<ReturnType<typeof openWorkDirectory>>;

/** What a reader in another process is told of a file. */
export const sourceOf = ({ path, bytes }: Received): Source => ({ path, bytes });

/**
 * Where files lie while they are being read, under names of our own. Each process has a part of its
 * own; what ended ones left is removed.
 */
export async function openWorkDirectory(directory: string, bytesMax = documentBytesMax) {
  const { path: own, close } = await openProcessDirectory(directory);

  return {
    /** Writes a body to a file of its own. The caller removes it. */
    async receive(request: SentBody): Promise<Received> {
      const path = join(own, randomUUID());
      const remove = () => rm(path, { force: true });
      const hash = createHash('sha256');
      let bytes = 0;
      async function* measured(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      }
      try {
        const sent = bytesOf(request, { bytesMax });
        // Opened before anything is read: a stream that opens it by itself may do so after it was
        // removed.
        const file = await open(path, 'wx', 0o600);
        await pipeline(measured(sent), file.createWriteStream());
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
