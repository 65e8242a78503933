import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isDiskFull } from './disk-full.ts';
import type { AppError } from './errors.ts';

/**
 * Writes a stream to a new file that only this user can read. Returns its size and SHA-256. The
 * caller removes the file, also after an error.
 */
export async function writeNewFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  errorIfFull: () => AppError,
): Promise<{ bytes: number; hash: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    // The file is opened before the content is read. A stream that opens the file itself could do
    // so after the file was removed.
    const file = await open(path, 'wx', 0o600);
    await pipeline(counted, file.createWriteStream());
  } catch (error) {
    throw isDiskFull(error) ? errorIfFull() : error;
  }
  return { bytes, hash: hash.digest() };
}
