import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes temporary files that a killed process left. Lance writes each file under a temporary name
 * and then renames it; no table version lists temporary files, so Lance's cleanup does not find them.
 * Call this before anything is written.
 */
export async function removePartialWrites(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile() && entry.name.startsWith('.tmp'))
      await rm(join(entry.parentPath, entry.name), { force: true });
}

/** Counts the data files of a local table, including those that no table version lists. */
export async function countDataFiles(directory: string, table: string): Promise<number> {
  try {
    return (await readdir(join(directory, `${table}.lance`, 'data'))).length;
  } catch (error) {
    // Nothing was ever written to this table.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/**
 * Deletes the empty directories of old indexes: Lance deletes their files only. Call this only while
 * nothing writes to the table.
 */
export async function removeEmptyIndexes(directory: string, table: string): Promise<void> {
  const indexes = join(directory, `${table}.lance`, '_indices');
  for (const name of await readdir(indexes)) {
    await rmdir(join(indexes, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    });
  }
}
