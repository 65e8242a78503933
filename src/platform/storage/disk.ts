import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskFull } from '../disk-full.ts';
import { messageOf } from '../error-message.ts';
import { AppError } from '../errors.ts';
import {
  checkedKey,
  type Storage,
  type StoredContent,
  StoredObjectMissing,
} from './stored-object.ts';

const temporaryName = 'incoming';
// A running upload writes more often than this.
const abandonedMs = 60 * 60 * 1000;
const writeBufferBytes = 512 * 1024;
const outOfReachCodes: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOTDIR',
]);
const flushBytes = 16 * 1024 * 1024;

/**
 * Stores objects as files. A new object is written to a temporary file, flushed, and then renamed,
 * so a partial object is never visible.
 */
export function createDiskStorage({
  directory,
  isSoleUser,
  log,
}: {
  directory: string;
  isSoleUser: boolean;
  log?: { warn(fields: object, message: string): void };
}): Storage {
  const pathOf = (key: string) => join(directory, checkedKey(key));

  /**
   * A directory or disk that cannot be used is a fault of the storage, which can be mended, and not of
   * the file.
   */
  function faultOf(error: unknown): unknown {
    if (isDiskFull(error))
      return new AppError('STORAGE_FULL', 'There is no space left to store this file');
    if (!outOfReachCodes.has(codeOf(error))) return error;
    log?.warn({ reason: messageOf(error) }, 'The directory of the stored files could not be used');
    return new AppError('UNAVAILABLE', 'The file storage is out of reach; try again later');
  }

  /** Makes an object of what `fill` writes to a new file. */
  async function storeAs<T>(
    key: string,
    fill: (temporaryPath: string) => Promise<{ handle: FileHandle; result: T }>,
  ): Promise<T> {
    const path = pathOf(key);
    const temporaryPath = join(directory, temporaryName, randomUUID());
    try {
      await mkdir(join(directory, temporaryName), { recursive: true });
      const { handle, result } = await fill(temporaryPath);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      await makeDirectory(dirname(path), directory);
      await rename(temporaryPath, path);
      await syncDirectory(dirname(path));
      return result;
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw faultOf(error);
    }
  }

  return {
    put: (key, content) =>
      storeAs(key, async (temporaryPath) => {
        const handle = await open(temporaryPath, 'wx');
        try {
          return { handle, result: await write(handle, content) };
        } catch (error) {
          await handle.close();
          throw error;
        }
      }),
    copy: (from, to) =>
      storeAs(to, async (temporaryPath) => {
        try {
          await copyFile(pathOf(from), temporaryPath, constants.COPYFILE_FICLONE);
        } catch (error) {
          throw codeOf(error) === 'ENOENT' ? new StoredObjectMissing(from) : error;
        }
        return { handle: await open(temporaryPath, 'r+'), result: undefined };
      }),
    async get(key, range) {
      const handle = await openObject(key, pathOf(key)).catch((error: unknown) => {
        throw faultOf(error);
      });
      return handle.createReadStream({ ...range, highWaterMark: writeBufferBytes });
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list() {
      for (const folder of await entriesOf(directory)) {
        if (!folder.isDirectory() || folder.name === temporaryName) continue;
        for (const { name } of await entriesOf(join(directory, folder.name))) {
          const stats = await statIfExists(join(directory, folder.name, name));
          if (stats?.isFile())
            yield { key: `${folder.name}/${name}`, bytes: stats.size, modifiedAt: stats.mtime };
        }
      }
    },
    async sweep() {
      for (const { name } of await entriesOf(join(directory, temporaryName))) {
        const temporaryPath = join(directory, temporaryName, name);
        const stats = await statIfExists(temporaryPath);
        if (stats && (isSoleUser || Date.now() - stats.mtimeMs > abandonedMs))
          await rm(temporaryPath, { force: true });
      }
    },
    close: () => undefined,
  };
}

/** Writes one buffer while the next is filled and hashed. */
async function write(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredContent> {
  const hash = createHash('sha256');
  let bytes = 0;
  let buffered: Uint8Array[] = [];
  let bufferedBytes = 0;
  let writing: Promise<unknown> = Promise.resolve();
  // Data is flushed to disk while the rest is still arriving, so that the final flush is short.
  let flushing: Promise<unknown> | undefined;
  let unflushed = 0;
  const flush = async () => {
    await writing;
    unflushed += bufferedBytes;
    if (unflushed >= flushBytes) {
      await flushing;
      flushing = handle.datasync();
      flushing.catch(() => undefined);
      unflushed = 0;
    }
    writing = writeAll(handle, buffered);
    // Awaited before the next operation on the file; until then a rejection must not count as
    // unhandled.
    writing.catch(() => undefined);
    buffered = [];
    bufferedBytes = 0;
  };
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      buffered.push(chunk);
      bufferedBytes += chunk.length;
      if (bufferedBytes >= writeBufferBytes) await flush();
    }
    await flush();
  } finally {
    await writing;
    await flushing;
  }
  return { bytes, hash: hash.digest('hex') };
}

async function writeAll(handle: FileHandle, chunks: Uint8Array[]): Promise<void> {
  let remaining = chunks;
  while (remaining.length > 0) {
    let { bytesWritten } = await handle.writev(remaining);
    remaining = remaining.flatMap((chunk) => {
      const done = Math.min(bytesWritten, chunk.length);
      bytesWritten -= done;
      return done === chunk.length ? [] : [chunk.subarray(done)];
    });
  }
}

/**
 * Creates the directory on the first upload. The parent is flushed too, so that the directory entry
 * survives a power failure.
 */
async function makeDirectory(path: string, root: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created !== undefined) await syncDirectory(root);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openObject(key: string, path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new StoredObjectMissing(key) : error;
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

async function statIfExists(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
