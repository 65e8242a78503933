import {
  accessSync,
  constants,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
// Files beside the lock cannot be created.
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_FULL = 13;

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
 * lock of the next process. People remove it nevertheless, so `/proc` shows whether the process whose
 * id is stored beside it still has a removed lock open.
 */
export function lockDirectory(
  directory: string,
  locked: LockedDirectory = embeddedDatabase,
): () => void {
  if (holdsRemovedLock(directory)) throw new DirectoryInUse(inUse(directory, locked));
  const lock = openLock(`${directory}.lock`);
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    // The upper bits tell more, such as that the directory of the file cannot be written.
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === SQLITE_BUSY) throw new DirectoryInUse(inUse(directory, locked));
    if (code === SQLITE_FULL)
      throw new Error(
        `The disk of ${directory} is full, so it cannot be locked. Free some space, and start again.`,
        { cause: error },
      );
    if (code === SQLITE_READONLY || code === SQLITE_CANTOPEN)
      throw cannotOpen(`${directory}.lock`, error);
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

/**
 * A file that this user can only read is refused: SQLite would let several processes begin an
 * exclusive transaction on it.
 */
function openLock(path: string): DatabaseSync {
  try {
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return lock;
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

const cannotOpen = (path: string, cause: unknown): Error =>
  new Error(
    `This user cannot open ${path}, the lock of the directory beside it. Give this user access to the file and its directory, or remove the file while no process uses the directory`,
    { cause },
  );

/** Another process has locked the directory. */
export class DirectoryInUse extends Error {}

function inUse(directory: string, { name, remedy }: LockedDirectory): string {
  return `${name} in ${directory} is in use by ${holder(directory)}. It serves one process at a time: ${remedy}.`;
}

/** Whether the process whose id is stored beside the directory has a removed lock open. */
function holdsRemovedLock(directory: string): boolean {
  try {
    const removed = `${realpathSync(dirname(directory))}/${basename(directory)}.lock (deleted)`;
    const open = `/proc/${readFileSync(`${directory}.pid`, 'utf8')}/fd`;
    return readdirSync(open).some((name) => linkAt(`${open}/${name}`) === removed);
  } catch {
    // There is no such process, it belongs to another user, or the system has no /proc.
    return false;
  }
}

// A file can be closed between the listing and this call.
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function holder(directory: string): string {
  try {
    return `process ${readFileSync(`${directory}.pid`, 'utf8')}`;
  } catch {
    return 'a process that has just started';
  }
}
