import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lance writes a file under such a name and then renames it. What a kill has left of one is in no
 * list of Lance's, so that none of its cleanups finds it. To be called before anything is written.
 */
export async function removePartialWrites(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile() && entry.name.startsWith('.tmp'))
      await rm(join(entry.parentPath, entry.name), { force: true });
}

/** How many files with rows a table of this machine has, whether any list knows them or not. */
export async function countDataFiles(directory: string, table: string): Promise<number> {
  try {
    return (await readdir(join(directory, `${table}.lance`, 'data'))).length;
  } catch (error) {
    // Nothing was ever written to it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * Lance removes the files of an index that is no longer used, and leaves its folder. Only while
 * nothing is written to the table.
 */
export async function removeEmptyIndexes(directory: string, table: string): Promise<void> {
  const indexes = join(directory, `${table}.lance`, '_indices');
  for (const name of await readdir(indexes)) {
    await rmdir(join(indexes, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    });
  }
}
