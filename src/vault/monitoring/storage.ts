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

/** Measures the disks of these directories. Directories that do not exist are skipped. */
export async function sampleStorage(paths: readonly string[]): Promise<StorageSample[]> {
  const samples = await Promise.all(
    paths.map((path) => statfs(path).then((disk) => [toStorageSample(path, disk)], emptyIfMissing)),
  );
  return samples.flat();
}

function toStorageSample(path: string, { bsize, blocks, bfree, bavail }: StatsFs): StorageSample {
  const usedBytes = (blocks - bfree) * bsize;
  const freeBytes = bavail * bsize;
  // As in df: space reserved for the superuser counts neither as used nor as free.
  return {
    path,
    totalBytes: blocks * bsize,
    usedBytes,
    freeBytes,
    usagePercent: percent(usedBytes, usedBytes + freeBytes),
  };
}

function emptyIfMissing(error: unknown): StorageSample[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
