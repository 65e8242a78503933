import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/process.ts';
import { testBucket } from '../support/s3.ts';

describe('make-bucket', () => {
  let s3: Awaited<ReturnType<typeof testBucket>>;
  beforeAll(async () => {
    s3 = await testBucket();
  });
  afterAll(() => s3.close());

  async function make(settings: Record<string, string>) {
    const { stdout, stderr, ended } = run('src/commands/make-bucket.ts', settings);
    return { code: await ended, output: stdout() + stderr() };
  }

  it('make-bucket creates a missing bucket and leaves an existing one unchanged', async () => {
    const settings = { ...s3.settings, S3_BUCKET: 'made-for-atrium' };
    expect(await make(settings)).toEqual({
      code: 0,
      output: 'The bucket made-for-atrium was created.\n',
    });
    expect(await make(settings)).toEqual({
      code: 0,
      output: 'The bucket made-for-atrium already exists.\n',
    });
  });

  it('make-bucket fails with the reason of the service, and prints no secret', async () => {
    const { code, output } = await make({
      ...s3.settings,
      S3_SECRET_ACCESS_KEY: 'a-wrong-secret',
    });
    expect(code).toBe(1);
    expect(output).not.toContain('a-wrong-secret');
  });

  it('make-bucket names the missing setting', async () => {
    expect(await make({})).toMatchObject({ code: 1, output: expect.stringContaining('S3_BUCKET') });
  });
});
