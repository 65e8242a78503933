import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const blockBytes = 512;
const directoryType = '5';

/**
 * Unpacks an archive of directories and files with names of at most 100 bytes. They are readable
 * only by this user, whatever modes the archive has.
 */
export function unpackTar(archive: Buffer, directory: string): void {
  const textAt = (start: number, length: number) =>
    archive.toString('latin1', start, start + length).split('\0', 1)[0] ?? '';
  for (let header = 0; header < archive.length && archive[header] !== 0; ) {
    const path = join(directory, textAt(header, 100));
    const bytes = Number.parseInt(textAt(header + 124, 12), 8);
    const start = header + blockBytes;
    const isDirectory = textAt(header + 156, 1) === directoryType;
    mkdirSync(isDirectory ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (!isDirectory) writeFileSync(path, archive.subarray(start, start + bytes), { mode: 0o600 });
    header = start + Math.ceil(bytes / blockBytes) * blockBytes;
  }
}
