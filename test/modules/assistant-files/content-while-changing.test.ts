import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { testBucket } from '../../support/s3.ts';
import { serveApp } from '../../support/serve-app.ts';

// More than the buffers of the sockets hold, so that most of it is still to be read.
const bytes = 16 * 1024 * 1024;
const [first, second] = [Buffer.alloc(bytes, 'a'), Buffer.alloc(bytes, 'b')];

describe.each(['a disk', 'S3'])('A download from %s while its file changes', (kind) => {
  let app: TestApp;
  let server: Awaited<ReturnType<typeof serveApp>>;
  let bucket: Awaited<ReturnType<typeof testBucket>> | undefined;
  let person: TestPerson;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    bucket = kind === 'S3' ? await testBucket() : undefined;
    app = await testApp({ USER_KEY_LIMIT: '100000', ...bucket?.settings });
    server = await serveApp(app);
    person = await personIn(app, await app.organization());
    files = filesOf(app, person, await assistantOf(person));
  });
  afterAll(async () => {
    server.close();
    await app.close();
    await bucket?.close();
  });

  /** A download of which only the beginning has been read. */
  async function beginDownload(id: string): Promise<IncomingMessage> {
    const request = get(`${server.url}${files.path(`/${id}/content`)}`, {
      headers: { authorization: `Bearer ${person.key}` },
    });
    const [response] = await once(request, 'response');
    await once(response, 'readable');
    return response;
  }
  /** The bytes that arrived, and the error if there was one. */
  async function finish(response: IncomingMessage) {
    const chunks: Buffer[] = [];
    const fault = await (async () => {
      for await (const chunk of response) chunks.push(chunk);
    })().catch((error: NodeJS.ErrnoException) => error.code);
    return { received: Buffer.concat(chunks), fault };
  }

  it('A replaced file is downloaded to its end as it was, and then as it is', async () => {
    const id = fileIdIn(await files.upload(first));
    const download = await beginDownload(id);
    const replacement = await files.replace(id, second);
    expect(replacement.status).toBe(200);
    await pause(1_500);
    const { received, fault } = await finish(download);
    expect([received.equals(first), fault]).toEqual([true, undefined]);
    const { text } = await files.content(fileIdIn(replacement));
    expect(second.equals(Buffer.from(text, 'latin1'))).toBe(true);
  });

  it('The download of a deleted file fails or has all of its bytes', async () => {
    const id = fileIdIn(await files.upload(first));
    const download = await beginDownload(id);
    expect((await files.remove(id)).status).toBe(200);
    await pause(1_500);
    const { received, fault } = await finish(download);
    expect(first.subarray(0, received.length).equals(received)).toBe(true);
    if (fault !== 'ECONNRESET') expect([received.length, fault]).toEqual([bytes, undefined]);
    expect((await files.content(id)).status).toBe(404);
  });
});
