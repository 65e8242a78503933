import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

// Keeps a reference to each lock: garbage collection would otherwise close the connection and
// release the lock.
const openLocks = new Set<DatabaseSync>();

/** The content of the directory, and what to do if it is in use, for the error message. */
type LockedDirectory = { name: string; remedy: string };
const embeddedDatabase: LockedDirectory = {
  name: 'The embedded database',
  remedy: 'stop that one, or set DATABASE_URL to a Postgres that several can share',
};

/**
 * Locks a directory for this process and returns a function that releases it.
 *
 * The lock is SQLite's lock on an empty file beside the directory, because Node has no call for the
 * operating system's file locks. The operating system releases it when the process ends for any
 * reason, and two processes cannot both hold it. A file with a process id would not do: the id may
 * have been reused, or belong to another container. The file remains: removing it could remove the
 * lock of the next process.
 */
export function lockDirectory(
  directory: string,
  locked: LockedDirectory = embeddedDatabase,
): () => void {
  const lock = new DatabaseSync(`${directory}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new DirectoryInUse(inUse(directory, locked));
    throw error;
  }
  openLocks.add(lock);
  writeFileSync(`${directory}.pid`, `${process.pid}`);
  return () => {
    rmSync(`${directory}.pid`, { force: true });
    openLocks.delete(lock);
    lock.close();
  };
}

/** Another process has locked the directory. */
export class DirectoryInUse extends Error {}

function inUse(directory: string, { name, remedy }: LockedDirectory): string {
  return `${name} in ${directory} is in use by ${holder(directory)}. It serves one process at a time: ${remedy}.`;
}

function holder(directory: string): string {
  try {
    return `process ${readFileSync(`${directory}.pid`, 'utf8')}`;
  } catch {
    return 'a process that has just started';
  }
}
