import type { Readable } from 'node:stream';

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
  /** Stores a copy under another key. Rejects with StoredObjectMissing if the object does not exist. */
  copy(from: string, to: string): Promise<void>;
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

/**
 * Removes an object that nothing refers to. If the storage is out of reach, the reconciliation
 * removes it later.
 */
export const removeUnused = (storage: Storage, key: string): Promise<void> =>
  storage.remove(key).catch(() => undefined);

const keyForm = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-]{1,64}){1,3}$/;

/** Keys are used as paths on disk and in a bucket, so only keys of this form are accepted. */
export function checkedKey(key: string): string {
  if (!keyForm.test(key)) throw new Error('this is no key of the storage');
  return key;
}
