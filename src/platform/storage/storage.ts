import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Env } from '../env.ts';
import { createDiskStorage } from './disk.ts';

export type Stored = { bytes: number; hash: string };
export type StoredObject = { key: string; bytes: number; modifiedAt: Date };

/** From the first to the last byte, both included. */
export type ByteRange = { start: number; end: number };

/**
 * Where the bytes of files lie. Keys are made by the server; an object is there whole or not at
 * all.
 */
export type Storage = {
  /**
   * Takes what comes, as fast as it can be kept; SHA-256 in hexadecimal digits is made on the way.
   * Whatever the content throws leaves nothing behind.
   */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<Stored>;
  /** Rejects with NotStored where there is no such object. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Also succeeds where there is nothing to remove. */
  remove(key: string): Promise<void>;
  list(): AsyncIterable<StoredObject>;
  /** Removes what uploads left behind that were cut off by the end of their process. */
  sweep(): Promise<void>;
  close(): void;
};

export class NotStored extends Error {
  constructor(key: string) {
    super(`the storage has no ${key}`);
  }
}

const keyForm = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-]{1,64}){1,3}$/;

/** A key is a path on a disk and in a bucket: nothing that could lead elsewhere passes. */
export function checkedKey(key: string): string {
  if (!keyForm.test(key)) throw new Error('this is no key of the storage');
  return key;
}

type StorageSettings = Pick<
  Env,
  | 'DATA_DIR'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
>;

/** A bucket where one is set, else a directory. `alone`: no other process uses the directory. */
export async function createStorage(
  env: StorageSettings,
  { alone, log }: { alone: boolean; log: { warn(fields: object, message: string): void } },
): Promise<Storage> {
  if (env.S3_BUCKET === undefined && env.DATA_DIR === ':memory:') return createTemporaryStorage();
  if (env.S3_BUCKET === undefined)
    return createDiskStorage({ directory: join(env.DATA_DIR, 'files'), alone });
  // The client is a program of its own that nobody with a disk needs.
  const { createS3Storage } = await import('./s3.ts');
  return createS3Storage({ ...env, S3_BUCKET: env.S3_BUCKET, log });
}

/** For a server whose data go with it. */
function createTemporaryStorage(): Storage {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-files-'));
  return {
    ...createDiskStorage({ directory, alone: true }),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
