import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ownerOnly = 0o700;

/**
 * Creates a directory and its missing parents, all with mode 0700. Node's own recursive mkdir does
 * not return where the system says that a path does not exist although its parent does, as below
 * /proc.
 */
export function makeDirectory(directory: string): void {
  const path = resolve(directory);
  if (isDirectory(path)) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: ownerOnly });
  } catch (error) {
    // Another process has created it in the meantime.
    if (!isDirectory(path)) throw error;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
