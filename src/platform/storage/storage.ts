import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Env } from '../env.ts';
import { createDiskStorage } from './disk.ts';

export type StoredContent = { bytes: number; hash: string };
export type StoredObject = { key: string; bytes: number; modifiedAt: Date };

/** First and last byte, both inclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Object storage for file contents. The server generates the keys. An object is either complete or
 * absent.
 */
export type Storage = {
  /**
   * Stores the content and computes its SHA-256 in hexadecimal on the way. If the content throws,
   * nothing remains.
   */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredContent>;
  /** Rejects with StoredObjectMissing if the object does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Succeeds even if the object does not exist. */
  remove(key: string): Promise<void>;
  list(): AsyncIterable<StoredObject>;
  /** Removes the remains of uploads whose process ended. */
  sweep(): Promise<void>;
  close(): void;
};

export class StoredObjectMissing extends Error {
  constructor(key: string) {
    super(`the storage has no ${key}`);
  }
}

const keyForm = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-]{1,64}){1,3}$/;

/** Keys are used as paths on disk and in a bucket, so only keys of this form are accepted. */
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

/**
 * The bucket if one is configured, else a directory. `isSoleUser`: no other process uses the
 * directory.
 */
export async function createStorage(
  env: StorageSettings,
  {
    isSoleUser,
    log,
  }: { isSoleUser: boolean; log: { warn(fields: object, message: string): void } },
): Promise<Storage> {
  if (env.S3_BUCKET === undefined && env.DATA_DIR === ':memory:') return createTemporaryStorage();
  if (env.S3_BUCKET === undefined)
    return createDiskStorage({ directory: join(env.DATA_DIR, 'files'), isSoleUser });
  // The S3 client is large, and installations with disk storage do not load it.
  const { createS3Storage } = await import('./s3.ts');
  return createS3Storage({ ...env, S3_BUCKET: env.S3_BUCKET, log });
}

/** For a server whose data is deleted when it stops. */
function createTemporaryStorage(): Storage {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-files-'));
  return {
    ...createDiskStorage({ directory, isSoleUser: true }),
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
