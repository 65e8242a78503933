import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FileProcessor,
  processFiles,
} from '../../../src/modules/assistant-files/processing/process-files.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { proxyTo } from '../../support/proxy-to.ts';
import { testBucket } from '../../support/s3.ts';
import { vaultStandIn } from '../../support/vault-stand-in.ts';

let app: TestApp;
let ada: TestPerson;
let bucket: Awaited<ReturnType<typeof testBucket>>;
let network: Awaited<ReturnType<typeof proxyTo>>;
let vault: Awaited<ReturnType<typeof vaultStandIn>>;
let files: ReturnType<typeof filesOf>;
let assistantId: string;
let processor: FileProcessor | undefined;

beforeAll(async () => {
  bucket = await testBucket();
  network = await proxyTo(bucket.settings.S3_ENDPOINT);
  vault = await vaultStandIn();
  app = await testApp(
    { USER_KEY_LIMIT: '100000', ...bucket.settings, S3_ENDPOINT: network.url },
    { vault: vault.client },
  );
  ada = await personIn(app, await app.organization());
  assistantId = await assistantOf(ada);
  files = filesOf(app, ada, assistantId);
});
// Files that wait would be processed first.
beforeEach(() => app.database.prisma.assistantFile.deleteMany());
afterEach(async () => {
  bucket.failWith(undefined);
  network.accept();
  await processor?.stop();
  processor = undefined;
});
afterAll(async () => {
  await app.close();
  await vault.stop();
  vault.client.close();
  network.close();
  await bucket.close();
});

const faults: [string, () => void][] = [
  ['that cannot be reached', () => network.refuse()],
  ['that fails', () => bucket.failWith({ status: 500, code: 'InternalError' })],
  ['that is overloaded', () => bucket.failWith({ status: 503, code: 'SlowDown' })],
  ['that refuses the key', () => bucket.failWith({ status: 403, code: 'AccessDenied' })],
  ['that is gone', () => bucket.failWith({ status: 404, code: 'NoSuchBucket' })],
];
const outOfReach = {
  status: 503,
  body: { status: 'error', message: 'The file storage is out of reach; try again later' },
};

describe.each(faults)('A bucket %s', (_, begin) => {
  const end = () => {
    bucket.failWith(undefined);
    network.accept();
  };

  it.each([
    ['one part', 1_000],
    ['three parts', 12_000_000],
  ])('an upload of %s gets 503 and leaves nothing, and can be repeated', async (_, bytes) => {
    const before = (await files.list()).body;
    const content = randomBytes(bytes);
    begin();
    expect(await files.upload(content)).toMatchObject(outOfReach);
    end();
    expect((await files.list()).body).toEqual(before);
    expect((await files.upload(content)).status).toBe(200);
  });

  it('a replacement gets 503, and the file stays as it was', async () => {
    const id = fileIdIn(await files.upload('the first text'));
    begin();
    expect(await files.replace(id, 'the second text')).toMatchObject(outOfReach);
    end();
    expect(await files.content(id)).toMatchObject({ status: 200, text: 'the first text' });
  });

  it('the content gets 503, and is complete afterwards', async () => {
    const id = fileIdIn(await files.upload('the content'));
    begin();
    expect(await files.content(id)).toMatchObject(outOfReach);
    end();
    expect(await files.content(id)).toMatchObject({ status: 200, text: 'the content' });
  });

  it('a file waits for it without counting attempts', async () => {
    const id = fileIdIn(await files.upload('a text to be found'));
    begin();
    const { database, files: fileServices, clock, log } = app.contextParts;
    processor = processFiles({ database, files: fileServices, clock, log });
    await expect.poll(() => row(id)).toMatchObject({ nextAttemptAt: expect.any(Date) });
    expect(await row(id)).toMatchObject({ status: 'PENDING', attempts: 0, errorCode: null });
    end();
    await app.database.prisma.assistantFile.update({
      where: { id },
      data: { nextAttemptAt: null },
    });
    processor.wake();
    await expect.poll(async () => (await row(id)).status).toBe('COMPLETED');
  });
});

describe('A bucket that fails after an upload in parts has begun', () => {
  it('the upload gets 503 and leaves nothing', async () => {
    const before = (await files.list()).body;
    bucket.failWith({ status: 500, code: 'InternalError', method: 'PUT' });
    expect(await files.upload(randomBytes(12_000_000))).toMatchObject(outOfReach);
    expect((await files.list()).body).toEqual(before);
    expect(bucket.unfinished()).toEqual([]);
  });
});

describe('A bucket whose connection breaks in the middle of an object', () => {
  it('a file waits for it without counting attempts', async () => {
    const id = fileIdIn(await files.upload(randomBytes(4_000_000)));
    bucket.breakAfter(1_000_000);
    const { database, files: fileServices, clock, log } = app.contextParts;
    processor = processFiles({ database, files: fileServices, clock, log });
    await expect.poll(() => row(id)).toMatchObject({ nextAttemptAt: expect.any(Date) });
    expect(await row(id)).toMatchObject({ status: 'PENDING', attempts: 0, errorCode: null });
  });
});

const row = (id: string) => app.database.prisma.assistantFile.findUniqueOrThrow({ where: { id } });
