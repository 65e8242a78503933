import type { HashedUpload } from './hashed-upload.ts';

/** What a documented call was sent. */
export type RequestInput = {
  key: string | undefined;
  /** The body as it was sent; empty if it is an upload. */
  bytes: Uint8Array;
  file: HashedUpload | undefined;
  variables: Record<string, unknown>;
  release: () => Promise<void>;
};
