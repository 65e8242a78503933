import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { percent } from './system.ts';

export type StorageSample = {
  path: string;
  totalBytes: number;
  usedBytes: number;
  freeBytes: number;
  usagePercent: number;
};

/** The disks under these directories. One that does not exist (yet) is left out. */
export async function sampleStorage(paths: readonly string[]): Promise<StorageSample[]> {
  const samples = await Promise.all(
    paths.map((path) => statfs(path).then((disk) => [tell(path, disk)], absent)),
  );
  return samples.flat();
}

function tell(path: string, { bsize, blocks, bfree, bavail }: StatsFs): StorageSample {
  const usedBytes = (blocks - bfree) * bsize;
  const freeBytes = bavail * bsize;
  // As df reckons: what only the superuser may fill is neither used nor free.
  return {
    path,
    totalBytes: blocks * bsize,
    usedBytes,
    freeBytes,
    usagePercent: percent(usedBytes, usedBytes + freeBytes),
  };
}

function absent(error: unknown): StorageSample[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
