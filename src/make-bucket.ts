import { setTimeout as wait } from 'node:timers/promises';
import {
  CreateBucketCommand,
  HeadBucketCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { readEnv } from './platform/env.ts';
import { bucketClient } from './platform/storage/s3.ts';

// A service that is started together with Atrium may need a while.
const triesMax = 60;
const pauseMs = 1_000;

/**
 * `node src/make-bucket.ts` makes the bucket of the settings where there is none, and waits until
 * its service is there.
 */
async function main(): Promise<void> {
  const env = readEnv();
  const Bucket = env.S3_BUCKET;
  if (Bucket === undefined) throw new Error('These settings are wrong:\n  S3_BUCKET: must be set');
  const client = bucketClient(env);
  for (let tries = 1; ; tries += 1) {
    try {
      process.stdout.write(
        (await make(client, Bucket))
          ? `The bucket ${Bucket} was made.\n`
          : `The bucket ${Bucket} was there.\n`,
      );
      return;
    } catch (error) {
      // What the service itself refuses will not change by waiting.
      if (error instanceof S3ServiceException || tries === triesMax) throw error;
      await wait(pauseMs);
    }
  }
}

/** False where it was there. */
async function make(client: S3Client, Bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return false;
  } catch (error) {
    if (!(error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404))
      throw error;
  }
  await client.send(new CreateBucketCommand({ Bucket }));
  return true;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
