import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../../../src/http/server.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { openVectorDb } from '../../../src/vault/vector-db/vector-db.ts';
import { passagesOf, vectorOf } from '../../support/passages.ts';
import { testBucket } from '../../support/s3.ts';
import { recordLog, vaultSecret } from '../../support/vault.ts';

let bucket: Awaited<ReturnType<typeof testBucket>>;
beforeAll(async () => {
  bucket = await testBucket();
});
afterAll(() => bucket.close());

const metadata = { hash: 'd'.repeat(64), embedding: 'letters-1', facts: {} };

async function open() {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const database = await openVectorDb({
    location: `s3://${S3_BUCKET}/vectors`,
    storageOptions: {
      endpoint: S3_ENDPOINT,
      allow_http: 'true',
      region: 'us-east-1',
      aws_access_key_id: S3_ACCESS_KEY_ID,
      aws_secret_access_key: S3_SECRET_ACCESS_KEY,
    },
    secret: vaultSecret,
    log: recordLog().log,
  });
  const server = createServer(database.listener);
  const client = createVectorDbClient({
    url: await listen(server, { HOST: '127.0.0.1', PORT: 0 }),
    secret: vaultSecret,
  });
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await database.close();
  };
  return { client, close };
}

it('Passages in a bucket are stored, found and deleted as on a disk, also after a restart', async () => {
  const first = await open();
  await first.client.put('bucket', 'one', metadata, passagesOf(['shared one', 'shared two']));
  await first.client.put('bucket', 'two', metadata, passagesOf(['shared three']));
  const searchInput = { text: 'shared', vectors: { 'letters-1': vectorOf('shared') }, limit: 5 };
  const result = await first.client.search('bucket', searchInput);
  expect([result.keyword.length, result.vector.length]).toEqual([3, 3]);
  await first.client.remove('bucket', 'one');
  await first.client.put('bucket', 'two', metadata, passagesOf(['shared four']));
  await first.close();
  const second = await open();
  const { keyword, vector } = await second.client.search('bucket', searchInput);
  expect([keyword, vector].map((hits) => hits.map(({ text }) => text))).toEqual([
    ['shared four'],
    ['shared four'],
  ]);
  expect(await second.client.document('bucket', 'one')).toBeUndefined();
  await second.close();
});
