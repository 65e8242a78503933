import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './support/process.ts';
import { testBucket } from './support/s3.ts';
import { receiver } from './support/vault.ts';

describe('making the bucket', () => {
  let s3: Awaited<ReturnType<typeof testBucket>>;
  beforeAll(async () => {
    s3 = await testBucket();
  });
  afterAll(() => s3.close());

  async function make(settings: Record<string, string>) {
    const { stdout, stderr, ended } = run('src/make-bucket.ts', settings);
    return { code: await ended, said: stdout() + stderr() };
  }

  it('makes one where there is none, and leaves one that is there', async () => {
    const settings = { ...s3.settings, S3_BUCKET: 'made-for-atrium' };
    expect(await make(settings)).toEqual({
      code: 0,
      said: 'The bucket made-for-atrium was made.\n',
    });
    expect(await make(settings)).toEqual({
      code: 0,
      said: 'The bucket made-for-atrium was there.\n',
    });
  });

  it('a service that refuses ends it with its reason, without a secret', async () => {
    const service = await receiver((_, response) => response.writeHead(403).end());
    const { code, said } = await make({
      ...s3.settings,
      S3_ENDPOINT: service.url,
      S3_SECRET_ACCESS_KEY: 'a-wrong-secret',
    });
    await service.stop();
    expect(code).toBe(1);
    expect(said).not.toContain('a-wrong-secret');
  });

  it('without a bucket in the settings it says which setting is missing', async () => {
    expect(await make({})).toMatchObject({ code: 1, said: expect.stringContaining('S3_BUCKET') });
  });
});
