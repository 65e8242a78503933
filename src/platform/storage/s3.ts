import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError } from '../errors.ts';
import { checkedKey, type Storage, StoredObjectMissing } from './stored-object.ts';

type BucketOptions = {
  S3_BUCKET: string;
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  log: { warn(fields: object, message: string): void };
  timeouts?: typeof defaultTimeouts;
};

// The smallest part size that S3 accepts. One part is sent while the next is filled.
const partSize = 5 * 1024 * 1024;
const abandonedMs = 24 * 60 * 60 * 1000;
// The client sends a call up to three times.
const defaultTimeouts = { connectMs: 5_000, answerMs: 60_000, readMs: 30_000 };

/** The S3 client for these settings. */
export const bucketClient = ({
  S3_ENDPOINT,
  S3_REGION,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  timeouts = defaultTimeouts,
}: Omit<BucketOptions, 'S3_BUCKET' | 'log'>): S3Client =>
  new S3Client({
    region: S3_REGION,
    // Other S3-compatible services have no host per bucket, and not all of them support the newer
    // checksums.
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT, forcePathStyle: true } : {}),
    ...(S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }
      : {}),
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.answerMs,
      // Without it the client only warns.
      throwOnRequestTimeout: true,
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/**
 * Stores objects in a bucket of S3 or a compatible service. An object becomes visible when its last
 * part has been uploaded.
 */
export function createS3Storage({ S3_BUCKET: Bucket, log, ...options }: BucketOptions): Storage {
  const client = bucketClient(options);
  const { readMs } = options.timeouts ?? defaultTimeouts;

  /**
   * Whatever the bucket answers, the caller can only try again later: a wrong key or a missing
   * bucket is for the operator, who sees it in the log.
   */
  function outOfReach(error: unknown): AppError {
    if (error instanceof AppError) return error;
    log.warn({ err: error }, 'The bucket could not be used');
    return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 507
      ? new AppError('STORAGE_FULL', 'There is no space left to store this file')
      : new AppError('UNAVAILABLE', 'The file storage is out of reach; try again later');
  }
  const faultOf = (error: unknown, key: string): Error =>
    error instanceof NoSuchKey ? new StoredObjectMissing(key) : outOfReach(error);

  /** The reader may pause as long as it likes, but the bucket must answer each read in time. */
  async function* readInTime(body: Readable): AsyncGenerator<Uint8Array> {
    let timer: NodeJS.Timeout | undefined;
    const startTimer = () => {
      const stalled = new Error(`The bucket sent nothing for ${readMs / 1_000} s`);
      timer = setTimeout(() => body.destroy(stalled), readMs).unref();
    };
    try {
      startTimer();
      for await (const chunk of body) {
        clearTimeout(timer);
        yield chunk;
        startTimer();
      }
    } catch (error) {
      throw outOfReach(error);
    } finally {
      clearTimeout(timer);
      body.destroy();
    }
  }

  return {
    async put(key, content) {
      const Key = checkedKey(key);
      const hash = createHash('sha256');
      let bytes = 0;
      let contentFault: unknown;
      // No `for await`: if the upload fails, Node throws an AbortError into this generator, which
      // must not be taken for a fault of the content.
      async function* hashedContent() {
        const chunks = content[Symbol.asyncIterator]();
        const readChunk = () =>
          chunks.next().catch((error: unknown) => {
            contentFault = error;
            throw error;
          });
        try {
          for (let read = await readChunk(); !read.done; read = await readChunk()) {
            hash.update(read.value);
            bytes += read.value.length;
            yield read.value;
          }
        } finally {
          await chunks.return?.();
        }
      }
      const Body = Readable.from(hashedContent(), { objectMode: false });
      try {
        // If the content throws or S3 rejects a part, the upload is aborted and its parts are
        // removed.
        await new Upload({
          client,
          params: { Bucket, Key, Body },
          partSize,
          queueSize: 1,
        }).done();
      } catch (error) {
        throw contentFault ?? outOfReach(error);
      } finally {
        Body.destroy();
      }
      return { bytes, hash: hash.digest('hex') };
    },
    async copy(from, to) {
      const CopySource = encodeURI(`${Bucket}/${checkedKey(from)}`);
      await client
        .send(new CopyObjectCommand({ Bucket, Key: checkedKey(to), CopySource }))
        .catch((error: unknown) => {
          throw faultOf(error, from);
        });
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client
        .send(new GetObjectCommand({ Bucket, Key: checkedKey(key), Range }))
        .catch((error: unknown) => {
          throw faultOf(error, key);
        });
      if (!(Body instanceof Readable)) throw new Error('S3 answered without a stream');
      return Readable.from(readInTime(Body), { objectMode: false });
    },
    async remove(key) {
      await client
        .send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) }))
        .catch((error: unknown) => {
          throw outOfReach(error);
        });
    },
    async *list() {
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
          for (const { Key, Size = 0, LastModified } of Contents)
            if (Key && LastModified) yield { key: Key, bytes: Size, modifiedAt: LastModified };
        }
      } catch (error) {
        throw outOfReach(error);
      }
    },
    async sweep() {
      try {
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
        for (const { Key, UploadId, Initiated } of Uploads) {
          if (Initiated && Date.now() - Initiated.getTime() > abandonedMs)
            await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        }
      } catch (error) {
        // This is not fatal: a lifecycle rule of the bucket can remove them as well.
        log.warn({ err: error }, 'The unfinished uploads in the bucket could not be removed');
      }
    },
    close: () => client.destroy(),
  };
}
