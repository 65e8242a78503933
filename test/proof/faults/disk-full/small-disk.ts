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

/** The reason why no file system can be mounted here; undefined where mounting works. */
export function whyNoSmallDisk(directory: string): string | undefined {
  const fault = mount(directory, 1, 10);
  if (fault !== undefined) return fault;
  unmount(directory);
  return undefined;
}

/** Mounts a tmpfs with this capacity and this number of inodes (`names`). */
export function smallDiskAt(
  directory: string,
  { megabytes, names = 10_000 }: { megabytes: number; names?: number },
) {
  const fault = mount(directory, megabytes, names);
  if (fault !== undefined) throw new Error(fault);
  const fillers: string[] = [];
  return {
    directory,
    /** Fills the disk except for `leftMegabytes`. */
    fill(leftMegabytes = 0): void {
      const file = openSync(join(directory, ballast), 'a', 0o644);
      fillers.push(ballast);
      const { bavail, bsize } = statfsSync(directory);
      let remainingBytes = bavail * bsize - leftMegabytes * megabyte;
      const block = Buffer.alloc(megabyte, 'x');
      try {
        while (remainingBytes > 0)
          remainingBytes -= writeSync(file, block, 0, Math.min(remainingBytes, block.length));
      } catch (error) {
        if (!isFull(error)) throw error;
      } finally {
        closeSync(file);
      }
    },
    /** Uses up the inodes: no file can be created, even with free space. */
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
  if (error) return 'the mount command is not installed';
  return status === 0 ? undefined : `mounting a file system is not allowed: ${stderr.trim()}`;
}

// A lazy unmount (-l), because a process that was just killed may still hold a file open.
const unmount = (directory: string): void => void spawnSync('umount', ['-l', directory]);

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC';
