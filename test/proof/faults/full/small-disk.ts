import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = ReturnType<typeof smallDiskAt>;

const megabyte = 1_048_576;
const ballast = '.ballast';

/** Why no file system of its own can be had here; undefined where one can. */
export function whyNoSmallDisk(directory: string): string | undefined {
  const made = mount(directory, 1, 10);
  if (made !== undefined) return made;
  unmount(directory);
  return undefined;
}

/** A file system of so many megabytes and names, in memory. */
export function smallDiskAt(
  directory: string,
  { megabytes, names = 10_000 }: { megabytes: number; names?: number },
) {
  const fault = mount(directory, megabytes, names);
  if (fault !== undefined) throw new Error(fault);
  const fillers: string[] = [];
  return {
    directory,
    /** Takes all room but so much. */
    fill(leftMegabytes = 0): void {
      const file = openSync(join(directory, ballast), 'a', 0o644);
      fillers.push(ballast);
      const { bavail, bsize } = statfsSync(directory);
      let left = bavail * bsize - leftMegabytes * megabyte;
      const block = Buffer.alloc(megabyte, 'x');
      try {
        while (left > 0) left -= writeSync(file, block, 0, Math.min(left, block.length));
      } catch (error) {
        if (!isFull(error)) throw error;
      } finally {
        closeSync(file);
      }
    },
    /** Takes all names: nothing new can be made, whatever room there is. */
    fillNames(): void {
      for (let number = 0; ; number += 1) {
        try {
          writeFileSync(join(directory, `${ballast}-${number}`), '');
          fillers.push(`${ballast}-${number}`);
        } catch (error) {
          if (isFull(error)) return;
          throw error;
        }
      }
    },
    free(): void {
      for (const name of fillers.splice(0)) rmSync(join(directory, name), { force: true });
    },
    unmount: () => unmount(directory),
  };
}

function mount(directory: string, megabytes: number, names: number): string | undefined {
  mkdirSync(directory, { recursive: true });
  const { status, stderr, error } = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${names},mode=0777`, 'tmpfs', directory],
    {
      encoding: 'utf8',
    },
  );
  if (error) return 'there is no mount here';
  return status === 0 ? undefined : `no file system may be mounted here: ${stderr.trim()}`;
}

// Lazily: a program that was killed a moment ago may still hold a file.
const unmount = (directory: string): void => void spawnSync('umount', ['-l', directory]);

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC';
