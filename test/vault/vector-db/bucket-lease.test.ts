import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { bucketClient } from '../../../src/platform/storage/s3.ts';
import { acquireBucketLease } from '../../../src/vault/vector-db/lance/bucket-lease.ts';
import { openLanceStore } from '../../../src/vault/vector-db/lance/store.ts';
import type { PassageBatches } from '../../../src/vault/vector-db/passage-store.ts';
import { passagesOf } from '../../support/passages.ts';
import { testBucket } from '../../support/s3.ts';
import { recordLog } from '../../support/vault.ts';

const leaseMs = 1_200;

async function createBucket() {
  const bucket = await testBucket();
  onTestFinished(() => bucket.close());
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const client = bucketClient({ ...bucket.settings, S3_REGION: 'us-east-1' });
  const key = { Bucket: S3_BUCKET, Key: 'vectors/writer-lease.json' };
  return {
    storage: {
      location: `s3://${S3_BUCKET}/vectors`,
      storageOptions: {
        endpoint: S3_ENDPOINT,
        allow_http: 'true',
        region: 'us-east-1',
        aws_access_key_id: S3_ACCESS_KEY_ID,
        aws_secret_access_key: S3_SECRET_ACCESS_KEY,
      },
      leaseMs,
    },
    /** Writes a lease of a process that does not extend it. */
    takeAsOther: () =>
      client.send(
        new PutObjectCommand({
          ...key,
          Body: JSON.stringify({ id: 'other', owner: 'process 1 on other', until: 'later' }),
        }),
      ),
    readLease: async () => {
      const { Body } = await client.send(new GetObjectCommand(key));
      return JSON.parse((await Body?.transformToString()) ?? '');
    },
  };
}

it('A second process is refused with the name of the first and the end of its lease', async () => {
  const { storage, readLease } = await createBucket();
  const first = await acquireBucketLease({ ...storage, log: recordLog().log });
  const until = (await readLease()).until.slice(0, 4);
  await expect(acquireBucketLease({ ...storage, log: recordLog().log })).rejects.toThrow(
    `in use by process ${process.pid} on ${hostname()} until ${until}-`,
  );
  first?.require();
  await first?.release();
  const second = await acquireBucketLease({ ...storage, log: recordLog().log });
  await second?.release();
});

it('Of several processes that start together, one gets the lease', async () => {
  const { storage } = await createBucket();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => acquireBucketLease({ ...storage, log: recordLog().log })),
  );
  const leases = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  );
  expect(leases).toHaveLength(1);
  for (const lease of leases) await lease?.release();
});

it('The lease of a process that was killed is taken when it has ended', async () => {
  const { storage, takeAsOther, readLease } = await createBucket();
  await takeAsOther();
  const { lines, log } = recordLog();
  const lease = await acquireBucketLease({ ...storage, log });
  expect(lines.join('')).toContain('waiting for the end of the lease');
  expect((await readLease()).owner).toBe(`process ${process.pid} on ${hostname()}`);
  await lease?.release();
  await expect(readLease()).rejects.toThrow();
});

it('A process that has lost its lease stores and deletes nothing, and is not ready', async () => {
  const { storage, takeAsOther, readLease } = await createBucket();
  const { lines, log } = recordLog();
  const store = await openLanceStore({ ...storage, cacheMb: 16, clock: systemClock, log });
  let resume = () => {};
  const pause = new Promise<void>((resolve) => {
    resume = resolve;
  });
  async function* batches(waiting?: Promise<void>): PassageBatches {
    for await (const passage of passagesOf(['some words', 'more words'])) {
      yield [passage];
      await waiting;
    }
    return {};
  }
  const documentNamed = (document: string) => ({
    collection: 'leased',
    document,
    replaces: undefined,
    ifGeneration: undefined,
    hash: 'a'.repeat(64),
    embedding: 'letters-1',
    facts: {},
  });
  await store.put(documentNamed('kept'), batches());
  const writing = store.put(documentNamed('late'), batches(pause));
  await takeAsOther();
  await expect.poll(() => lines.join('')).toContain('another process has taken');
  resume();
  await expect(writing).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(store.remove('leased', ['kept'])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(store.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect([...(store.collections.get('leased')?.documents.keys() ?? [])]).toEqual(['kept']);
  await store.close();
  expect((await readLease()).id).toBe('other');
});

it('A lease is extended as long as its process runs', async () => {
  const { storage } = await createBucket();
  const lease = await acquireBucketLease({ ...storage, log: recordLog().log });
  for (let look = 0; look < 12; look += 1) {
    await wait(leaseMs / 4);
    lease?.require();
  }
  await lease?.release();
});
