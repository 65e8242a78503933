import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../env.ts';
import { requireAccess } from '../require-access.ts';
import { createDiskStorage } from './disk.ts';
import type { Storage } from './stored-object.ts';

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
  if (env.S3_BUCKET === undefined) {
    const directory = join(env.DATA_DIR, 'files');
    // It is created with the first upload. Otherwise people would learn of a directory that cannot be
    // used before the operator does.
    if (existsSync(directory)) requireAccess(directory, 1);
    return createDiskStorage({ directory, isSoleUser, log });
  }
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
