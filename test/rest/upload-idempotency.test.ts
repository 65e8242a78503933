import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { filesPath, formOf, formType } from '../support/files.ts';
import { withLostResponse } from '../support/lost-response.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';

let app: TestApp;
let server: ServedApp;
let ada: TestPerson;
let assistantId: string;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  server = await serveApp(app);
  ada = await personIn(app, await app.organization());
});
afterAll(async () => {
  server.close();
  await app.close();
});
beforeEach(async () => {
  assistantId = await assistantOf(ada);
});

type UploadInput = { key?: string; name?: string; rest?: string; method?: string; to?: string };

/** Sends a form with Node's fetch, which generates a new boundary each time. */
async function send(
  content: string | Uint8Array<ArrayBuffer>,
  {
    key = 'key',
    name = 'notes.txt',
    rest = '',
    method = 'POST',
    to = assistantId,
  }: UploadInput = {},
) {
  const form = new FormData();
  form.set('file', new File([content], name, { type: 'text/plain' }));
  const headers = {
    authorization: `Bearer ${ada.key}`,
    'idempotency-key': `${key} ${assistantId}`.replaceAll(' ', '-'),
  };
  const answer = await fetch(server.url + filesPath(to, rest), { method, headers, body: form });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    body: Object(JSON.parse(text)),
    replayed: answer.headers.get('idempotency-replayed'),
  };
}
const replace = (id: string, content: string, sent: UploadInput = {}) =>
  send(content, { ...sent, method: 'PUT', rest: `/${id}` });

const files = async (of = assistantId) =>
  app.database.prisma.assistantFile.findMany({ where: { assistantId: of } });
const audited = (action: string) =>
  app.database.prisma.auditEntry.count({
    where: { action, changes: { path: ['assistantId'], equals: assistantId } },
  });

const lostResponse = <T>(work: () => Promise<T>) => withLostResponse(app.database, work);

describe('a repeated upload with an Idempotency-Key', () => {
  it('A repeated upload is stored once and gets the same bytes as response', async () => {
    const content = new Uint8Array(3_000_000).fill(7);
    const first = await send(content);
    const second = await send(content);
    expect([first.status, first.replayed, second.status, second.replayed]).toEqual([
      200,
      null,
      200,
      'true',
    ]);
    expect(second.text).toBe(first.text);
    expect([(await files()).length, await audited('upload-file')]).toEqual([1, 1]);
  });

  it.each<[string, () => ReturnType<typeof send>]>([
    ['another content', () => send('other')],
    ['another name', () => send('content', { name: 'other.txt' })],
    ['another assistant', async () => send('content', { to: await assistantOf(ada), key: 'key' })],
  ])('A repeated upload with %s answers 422 and stores nothing', async (_, repeatUpload) => {
    expect((await send('content')).status).toBe(200);
    const before = await app.database.prisma.assistantFile.count();
    const rejected = await repeatUpload();
    expect(rejected).toMatchObject({
      status: 422,
      body: { status: 'error', message: expect.stringContaining('Idempotency-Key') },
    });
    expect(await app.database.prisma.assistantFile.count()).toBe(before);
  });

  it('A file is replaced once, even though the id in the path no longer exists at the repetition', async () => {
    const { body } = await send('old');
    const first = await replace(body.file.id, 'new', { key: 'replace' });
    const second = await replace(body.file.id, 'new', { key: 'replace' });
    expect([first.status, second.status, second.text, second.replayed]).toEqual([
      200,
      200,
      first.text,
      'true',
    ]);
    expect((await replace(body.file.id, 'newer', { key: 'replace' })).status).toBe(422);
    expect((await files()).map(({ id }) => id)).toEqual([first.body.file.id]);
    expect(await audited('replace-file')).toBe(1);
  });

  it('A failed upload is not stored: the same key is a new request', async () => {
    expect((await send('')).status).toBe(400);
    expect(await send('content')).toMatchObject({ status: 200, replayed: null });
    expect((await files()).length).toBe(1);
  });

  it('An upload is stored after a previous connection broke off', async () => {
    const form = formOf([
      { name: 'file', fileName: 'notes.txt', type: 'text/plain', content: 'x'.repeat(500_000) },
    ]);
    const key = `broken-${assistantId}`;
    const headers = {
      authorization: `Bearer ${ada.key}`,
      'content-type': formType,
      'content-length': form.length,
      'idempotency-key': key,
    };
    await new Promise<void>((resolve) => {
      const interruptedUpload = request(server.url + filesPath(assistantId), {
        method: 'POST',
        headers,
      });
      interruptedUpload.on('error', () => {}).on('close', () => resolve());
      interruptedUpload.write(form.subarray(0, 300_000), () =>
        setImmediate(() => interruptedUpload.destroy()),
      );
    });
    const client = createClient({ baseUrl: server.url, apiKey: ada.key, retries: 10 });
    const file = new File(['x'.repeat(500_000)], 'notes.txt', { type: 'text/plain' });
    const stored = await client.uploadAssistantFile({ assistantId, file }, { idempotencyKey: key });
    expect((await files()).map(({ id }) => id)).toEqual([stored.file.id]);
  });

  it('Concurrent repetitions of an upload are stored once and all get the same id', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: ada.key, retries: 10 });
    const upload = () =>
      client.uploadAssistantFile(
        { assistantId, file: new File(['x'.repeat(200_000)], 'a.txt') },
        { idempotencyKey: `at-once-${assistantId}` },
      );
    const ids = (await Promise.all(Array.from({ length: 6 }, upload))).map(({ file }) => file.id);
    expect(new Set(ids)).toEqual(new Set((await files()).map(({ id }) => id)));
    expect(new Set(ids).size).toBe(1);
    expect(await audited('upload-file')).toBe(1);
  });

  it('Without a key the client generates one and repeats the call when the response is lost', async () => {
    let lost = 0;
    const client = createClient({
      baseUrl: server.url,
      apiKey: ada.key,
      fetch: async (sent) => {
        const answer = await fetch(sent);
        lost += 1;
        if (lost === 1) throw new TypeError('the connection broke');
        return answer;
      },
    });
    const { file } = await client.uploadAssistantFile({
      assistantId,
      file: new File(['once'], 'once.txt'),
    });
    expect(lost).toBe(2);
    expect((await files()).map(({ id }) => id)).toEqual([file.id]);
  });

  it.each(['POST', 'PUT'])(
    'After a crash between the commit and the response of a %s the retry gets the lost response and stores nothing',
    async (method) => {
      const { body } = await send('old', { key: 'before' });
      const repeatUpload = () =>
        method === 'POST' ? send('content') : replace(body.file.id, 'content');
      const lost = await lostResponse(repeatUpload);
      const other = await (method === 'POST' ? send('other') : replace(body.file.id, 'other'));
      const [retried, repeated] = [await repeatUpload(), await repeatUpload()];
      expect([lost.status, other.status]).toEqual([200, 422]);
      expect([retried.text, repeated.text]).toEqual([lost.text, lost.text]);
      expect([lost, retried, repeated].map(({ replayed }) => replayed)).toEqual([
        null,
        'true',
        'true',
      ]);
      const stored: string[] = [];
      for await (const { key } of app.contextParts.files.storage.list()) stored.push(key);
      const keys = (await app.database.prisma.assistantFile.findMany()).map(
        ({ storageKey }) => storageKey,
      );
      // The files that a replacement leaves are deleted in the background.
      const removed = (await app.database.prisma.fileRemoval.findMany()).flatMap(
        ({ storageKeys }) => storageKeys,
      );
      expect(stored.toSorted()).toEqual([...keys, ...removed].toSorted());
    },
  );
});

describe('the name of a file in a form', () => {
  it.each(['a"b.txt', 'Menü “1”.txt', '100%.txt'])(
    'The name %s is stored as fetch sends it',
    async (name) => {
      const { status, body } = await send('content', { name });
      expect({ status, name: body.file.originalName }).toEqual({ status: 200, name });
    },
  );
});
