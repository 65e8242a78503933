import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let temporary: string | undefined;

/**
 * The directory for files that this thread writes itself: DATA_DIR, or with `:memory:` a new
 * temporary one, which is removed when the thread ends. Its name is random: another user of the
 * machine could create a directory of a known name first.
 */
export function ownFilesDirectory({ DATA_DIR }: { DATA_DIR: string }): string {
  if (DATA_DIR !== ':memory:') return DATA_DIR;
  if (temporary !== undefined) return temporary;
  const directory = mkdtempSync(join(tmpdir(), 'atrium-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  temporary = directory;
  return directory;
}
