import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { bucketOf } from './bucket.ts';
import type { VectorStorage } from './lance.ts';

const defaultLeaseMs = 30_000;
const looksPerLease = 12;
const extensionsPerLease = 3;
/** A write that begins has this share of the lease to reach the bucket. */
const writeShare = 1 / 6;
const preconditionFailed = 412;
const conflict = 409;
const notImplemented = 501;

const leaseContent = z.object({ id: z.string(), owner: z.string(), until: z.string() });
type StoredLease = z.output<typeof leaseContent> & { etag: string };
type LeaseOptions = VectorStorage & { leaseMs?: number | undefined; log: Log };

/**
 * Makes this process the only one that writes to a location in S3. The lease is an object that only
 * conditional writes change. Who waits for a lease to end observes with its own clock that it is not
 * extended, because the clocks of two machines differ. Without conditional writes there is no lease.
 */
export async function acquireBucketLease({
  location,
  storageOptions,
  leaseMs = defaultLeaseMs,
  log,
}: LeaseOptions) {
  const { client, bucket: Bucket, prefix } = bucketOf(location, storageOptions);
  const Key = `${prefix}writer-lease.json`;
  const id = randomUUID();
  const owner = `process ${process.pid} on ${hostname()}`;
  let etag: string | undefined;
  let validUntil = 0;
  let isLost = false;

  const read = async (): Promise<StoredLease | undefined> => {
    try {
      const { Body, ETag = '' } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const text = (await Body?.transformToString()) ?? '';
      return { ...leaseContent.parse(JSON.parse(text)), etag: ETag };
    } catch (error) {
      if (error instanceof NoSuchKey || statusOf(error) === 404) return undefined;
      throw error;
    }
  };
  /** Writes the lease if the object has this tag, or does not exist. Returns whether it has. */
  const write = async (expected: string | undefined): Promise<boolean> => {
    const begunAt = performance.now();
    const until = new Date(Date.now() + leaseMs).toISOString();
    try {
      const { ETag } = await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body: JSON.stringify({ id, owner, until }),
          ContentType: 'application/json',
          ...(expected === undefined ? { IfNoneMatch: '*' } : { IfMatch: expected }),
        }),
      );
      etag = ETag;
      validUntil = begunAt + leaseMs;
      return true;
    } catch (error) {
      if ([preconditionFailed, conflict, 404].includes(statusOf(error) ?? 0)) return false;
      throw error;
    }
  };
  const acquire = async () => {
    let seen: StoredLease | undefined;
    let seenAt = 0;
    for (;;) {
      const current = await read();
      if (seen && current && current.id === seen.id && current.etag !== seen.etag)
        throw new Error(
          `The vector database in ${location} is in use by ${current.owner} until ${current.until}, and that process extends its lease. It serves one process at a time: stop that one, or set VECTOR_DB_URL to its address, so that it serves both.`,
        );
      if (!current || (seen?.etag === current.etag && performance.now() - seenAt > leaseMs)) {
        if (await write(current?.etag)) return;
      } else if (seen?.etag !== current.etag) {
        if (!seen)
          log.info(
            { owner: current.owner, until: current.until },
            'waiting for the end of the lease of the vector database',
          );
        seen = current;
        seenAt = performance.now();
      }
      await sleep(leaseMs / looksPerLease);
    }
  };
  const extend = async () => {
    if (isLost || (await write(etag))) return;
    // The answer to an earlier extension may have been lost.
    const current = await read();
    if (current?.id === id) etag = current.etag;
    else {
      isLost = true;
      log.error(
        { owner: current?.owner },
        'another process has taken the vector database: this one writes nothing until it is started again',
      );
    }
  };

  try {
    await acquire();
  } catch (error) {
    client.destroy();
    if (statusOf(error) !== notImplemented) throw error;
    log.warn(
      { location },
      'the object storage has no conditional writes, so nothing keeps a second process from writing there',
    );
    return undefined;
  }
  let extending: Promise<void> | undefined;
  const timer = setInterval(() => {
    extending ??= extend()
      .catch((error: unknown) =>
        log.warn(
          { err: error },
          'extending the lease of the vector database failed; it is retried',
        ),
      )
      .finally(() => {
        extending = undefined;
      });
  }, leaseMs / extensionsPerLease).unref();

  return {
    /** Throws if this process may no longer write. */
    require(): void {
      if (isLost || performance.now() > validUntil - writeShare * leaseMs)
        throw new AppError('UNAVAILABLE', 'The vector database has lost its lease');
    },
    async release(): Promise<void> {
      clearInterval(timer);
      await extending;
      try {
        if (!isLost && (await read())?.id === id)
          await client.send(new DeleteObjectCommand({ Bucket, Key }));
      } catch (error) {
        log.warn(
          { err: error },
          'the lease of the vector database was not given back; it will end',
        );
      } finally {
        client.destroy();
      }
    },
  };
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
