import { flushCompileCache } from 'node:module';

/** Node has `drop` since 24.18; its types do not have it yet. */
type Permission = typeof process.permission & { drop(scope: string, path: string): void };

/**
 * Stores the compiled code of the modules that are loaded, so that the next process starts in half
 * the time, and gives up the permission to write it: from then on the process may read a document,
 * which must not change code that others execute.
 */
export function closeCodeCache(directory: string): void {
  const permission = process.permission as Permission;
  flushCompileCache();
  permission.drop('fs.write', directory);
  if (permission.has('fs.write', directory))
    throw new Error('The permission to write compiled code could not be given up');
}
