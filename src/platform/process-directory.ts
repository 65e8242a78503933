import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DirectoryInUse, lockDirectory } from './database/lock.ts';

export type ProcessDirectory = Awaited<ReturnType<typeof openProcessDirectory>>;

const directoryName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Opens a directory for this process, below one that several processes share, and removes the
 * directories of processes that have ended. Locks tell which those are: process ids are not unique
 * if containers share the directory.
 */
export async function openProcessDirectory(shared: string) {
  await mkdir(shared, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(shared, { withFileTypes: true })) {
    if (entry.isDirectory() && directoryName.test(entry.name))
      await removeIfAbandoned(join(shared, entry.name));
  }
  // Processes that read documents have another working directory.
  const path = resolve(shared, randomUUID());
  // Locked before it exists, so that no other process finds it without its lock.
  const unlock = lockDirectory(path);
  await mkdir(path, { mode: 0o700 });
  return { path, close: () => removeLocked(path, unlock) };
}

async function removeIfAbandoned(path: string): Promise<void> {
  try {
    await removeLocked(path, lockDirectory(path));
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
  }
}

async function removeLocked(path: string, unlock: () => void): Promise<void> {
  await rm(path, { recursive: true, force: true });
  unlock();
  for (const ending of ['.lock', '.lock-journal']) await rm(path + ending, { force: true });
}
