import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../errors.ts';
import { checkedKey, NotStored, type Storage, type Stored } from './storage.ts';

const incoming = 'incoming';
// An upload that is alive writes more often than this.
const abandonedMs = 60 * 60 * 1000;
const writeBytes = 512 * 1024;
const flushBytes = 16 * 1024 * 1024;

/**
 * Objects as files. One is written beside the others under a name of its own, flushed, and then
 * renamed: never seen in part.
 */
export function createDiskStorage({
  directory,
  alone,
}: {
  directory: string;
  alone: boolean;
}): Storage {
  const pathOf = (key: string) => join(directory, checkedKey(key));

  async function putBy(
    part: string,
    path: string,
    content: AsyncIterable<Uint8Array>,
  ): Promise<Stored> {
    const handle = await open(part, 'wx');
    try {
      const stored = await write(handle, content);
      await handle.sync();
      await handle.close();
      await makeDirectory(dirname(path), directory);
      await rename(part, path);
      await syncDirectory(dirname(path));
      return stored;
    } catch (error) {
      await handle.close();
      await rm(part, { force: true });
      throw error;
    }
  }

  return {
    async put(key, content) {
      const part = join(directory, incoming, randomUUID());
      try {
        await mkdir(join(directory, incoming), { recursive: true });
        return await putBy(part, pathOf(key), content);
      } catch (error) {
        throw isFull(error)
          ? new AppError('STORAGE_FULL', 'There is no space left to store this file')
          : error;
      }
    },
    async get(key, range) {
      const handle = await openIfThere(key, pathOf(key));
      return handle.createReadStream({ ...range, highWaterMark: writeBytes });
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list() {
      for (const folder of await entriesOf(directory)) {
        if (!folder.isDirectory() || folder.name === incoming) continue;
        for (const { name } of await entriesOf(join(directory, folder.name))) {
          const found = await statIfThere(join(directory, folder.name, name));
          if (found?.isFile())
            yield { key: `${folder.name}/${name}`, bytes: found.size, modifiedAt: found.mtime };
        }
      }
    },
    async sweep() {
      for (const { name } of await entriesOf(join(directory, incoming))) {
        const part = join(directory, incoming, name);
        const found = await statIfThere(part);
        if (found && (alone || Date.now() - found.mtimeMs > abandonedMs))
          await rm(part, { force: true });
      }
    },
    close: () => undefined,
  };
}

/** One write is under way while the next is gathered and hashed. */
async function write(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<Stored> {
  const hash = createHash('sha256');
  let bytes = 0;
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  // The disk takes what is written while the rest is still coming, so that the end has little to
  // wait for.
  let flushing: Promise<unknown> | undefined;
  let unflushed = 0;
  const flush = async () => {
    await writing;
    unflushed += gatheredBytes;
    if (unflushed >= flushBytes) {
      await flushing;
      flushing = handle.datasync();
      flushing.catch(() => undefined);
      unflushed = 0;
    }
    writing = writeAll(handle, gathered);
    // Awaited before anything else happens to the file; until then it must not count as unhandled.
    writing.catch(() => undefined);
    gathered = [];
    gatheredBytes = 0;
  };
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      gathered.push(chunk);
      gatheredBytes += chunk.length;
      if (gatheredBytes >= writeBytes) await flush();
    }
    await flush();
  } finally {
    await writing;
    await flushing;
  }
  return { bytes, hash: hash.digest('hex') };
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[]): Promise<void> {
  let left = chunks;
  while (left.length > 0) {
    let { bytesWritten } = await handle.writev(left);
    left = left.flatMap((chunk) => {
      const done = Math.min(bytesWritten, chunk.length);
      bytesWritten -= done;
      return done === chunk.length ? [] : [chunk.subarray(done)];
    });
  }
}

/**
 * Made by the first upload of its kind; its name must survive the end of the power as the file in
 * it does.
 */
async function makeDirectory(path: string, root: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made !== undefined) await syncDirectory(root);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openIfThere(key: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new NotStored(key) : error;
  }
}

async function entriesOf(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(codeOf(error)));
