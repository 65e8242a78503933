import { setTimeout as wait } from 'node:timers/promises';
import {
  CreateBucketCommand,
  HeadBucketCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { readEnv } from '../platform/env.ts';
import { bucketClient } from '../platform/storage/s3.ts';
import { runCommand } from './command.ts';

// A storage service that starts together with Atrium may need a while.
const attemptsMax = 60;
const pauseMs = 1_000;

/**
 * `node src/commands/make-bucket.ts` creates the bucket of the settings if it does not exist, and waits
 * until the storage service can be reached.
 */
async function main(): Promise<void> {
  const env = readEnv();
  const Bucket = env.S3_BUCKET;
  if (Bucket === undefined) throw new Error('These settings are wrong:\n  S3_BUCKET: must be set');
  const client = bucketClient(env);
  for (let attempt = 1; ; attempt += 1) {
    try {
      process.stdout.write(
        (await createIfMissing(client, Bucket))
          ? `The bucket ${Bucket} was created.\n`
          : `The bucket ${Bucket} already exists.\n`,
      );
      return;
    } catch (error) {
      // An error response of the service will not change by waiting.
      if (error instanceof S3ServiceException || attempt === attemptsMax) throw error;
      await wait(pauseMs);
    }
  }
}

/** Returns false if the bucket already exists. */
async function createIfMissing(client: S3Client, Bucket: string): Promise<boolean> {
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

runCommand(main);
