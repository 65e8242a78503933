import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const fileAccess = constants.R_OK | constants.W_OK;
const directoryAccess = fileAccess | constants.X_OK;

/**
 * Throws the error of the first directory or file below this one that this user cannot read and write
 * to. Otherwise a database would open, and fail at the first statement that needs the file. `depth`:
 * how many levels of directories are read.
 */
export function requireAccess(directory: string, depth = Number.POSITIVE_INFINITY): void {
  const entries = readdirSync(directory, { withFileTypes: true });
  accessSync(directory, directoryAccess);
  const requireEntry = (path: string, access: number) => {
    try {
      accessSync(path, access);
    } catch (error) {
      // Another process may have removed it since the directory was read.
      if (existsSync(path)) throw error;
    }
  };
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (depth > 1) requireAccess(path, depth - 1);
      else requireEntry(path, directoryAccess);
    } else if (entry.isFile()) requireEntry(path, fileAccess);
  }
}
