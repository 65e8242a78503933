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
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { checkedKey, type Storage, StoredObjectMissing } from './stored-object.ts';

type BucketOptions = {
  S3_BUCKET: string;
  S3_ENDPOINT?: string | undefined;
  S3_REGION: string;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  log: { warn(fields: object, message: string): void };
};

// The smallest part size that S3 accepts. One part is sent while the next is filled.
const partSize = 5 * 1024 * 1024;
const abandonedMs = 24 * 60 * 60 * 1000;

/** The S3 client for these settings. */
export const bucketClient = ({
  S3_ENDPOINT,
  S3_REGION,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
}: Omit<BucketOptions, 'S3_BUCKET' | 'log'>): S3Client =>
  new S3Client({
    region: S3_REGION,
    // Other S3-compatible services have no host per bucket, and not all of them support the newer
    // checksums.
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT, forcePathStyle: true } : {}),
    ...(S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }
      : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/**
 * Stores objects in a bucket of S3 or a compatible service. An object becomes visible when its last
 * part has been uploaded.
 */
export function createS3Storage({
  S3_BUCKET: Bucket,
  S3_ENDPOINT,
  S3_REGION,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  log,
}: BucketOptions): Storage {
  const client = bucketClient({ S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });

  return {
    async put(key, content) {
      const hash = createHash('sha256');
      let bytes = 0;
      let fault: unknown;
      async function* hashedContent() {
        try {
          for await (const chunk of content) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        } catch (error) {
          fault = error;
          throw error;
        }
      }
      const Body = Readable.from(hashedContent(), { objectMode: false });
      try {
        // If the content throws or S3 rejects a part, the upload is aborted and its parts are
        // removed.
        await new Upload({
          client,
          params: { Bucket, Key: checkedKey(key), Body },
          partSize,
          queueSize: 1,
        }).done();
      } catch (error) {
        throw fault ?? error;
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
          throw error instanceof NoSuchKey ? new StoredObjectMissing(from) : error;
        });
    },
    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client
        .send(new GetObjectCommand({ Bucket, Key: checkedKey(key), Range }))
        .catch((error: unknown) => {
          throw error instanceof NoSuchKey ? new StoredObjectMissing(key) : error;
        });
      if (!(Body instanceof Readable)) throw new Error('S3 answered without a stream');
      return Body;
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: checkedKey(key) }));
    },
    async *list() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key, Size = 0, LastModified } of Contents)
          if (Key && LastModified) yield { key: Key, bytes: Size, modifiedAt: LastModified };
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
        log.warn({ err: error }, 'could not list the unfinished uploads in the bucket');
      }
    },
    close: () => client.destroy(),
  };
}
