import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

// A lock that nobody refers to would be collected as garbage, and so be let go.
const held = new Set<DatabaseSync>();

/** What lies in the directory, and what one can do where it is in use. */
type Guarded = { name: string; way: string };
const embeddedDatabase: Guarded = {
  name: 'The embedded database',
  way: 'stop that one, or set DATABASE_URL to a Postgres that several can share',
};

/**
 * Keeps every other process out of a directory; returns what lets them in again.
 *
 * SQLite's lock on the empty file beside the directory is the operating system's, which Node has no
 * call for: it ends with its process, whatever killed it, and two takers can not both have it. A
 * process id in a file can be somebody else's by now, or belong to another container. The file
 * stays: whoever removed it could remove the next holder's.
 */
export function lockDirectory(directory: string, guarded: Guarded = embeddedDatabase): () => void {
  const lock = new DatabaseSync(`${directory}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new DirectoryInUse(inUse(directory, guarded));
    throw error;
  }
  held.add(lock);
  writeFileSync(`${directory}.pid`, `${process.pid}`);
  return () => {
    rmSync(`${directory}.pid`, { force: true });
    held.delete(lock);
    lock.close();
  };
}

/** Another process has the directory. */
export class DirectoryInUse extends Error {}

function inUse(directory: string, { name, way }: Guarded): string {
  return `${name} in ${directory} is in use by ${holder(directory)}. It serves one process at a time: ${way}.`;
}

function holder(directory: string): string {
  try {
    return `process ${readFileSync(`${directory}.pid`, 'utf8')}`;
  } catch {
    return 'a process that has just started';
  }
}
