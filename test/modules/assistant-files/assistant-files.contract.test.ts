import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf, formOf, streamed } from '../../support/files.ts';
import { testBucket } from '../../support/s3.ts';
import { watchStatements } from '../../support/statements.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
const notFound = { status: 404, body: { status: 'error', message: expect.any(String) } };
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

const storages: Record<
  string,
  () => Promise<{ settings: Record<string, string>; close: () => unknown }>
> = {
  'a disk': async () => ({ settings: {}, close: () => undefined }),
  S3: async () => {
    const { settings, close } = await testBucket();
    return { settings, close };
  },
};

describe.each(Object.entries(storages))('with the files on %s', (_, open) => {
  let app: TestApp;
  let ada: TestPerson;
  let close: () => unknown;
  beforeAll(async () => {
    const storage = await open();
    app = await testApp({ USER_KEY_LIMIT: '100000', ...storage.settings });
    close = storage.close;
    ada = await personIn(app, await app.organization());
  });
  afterAll(async () => {
    await app.close();
    await close();
  });

  const withFiles = async () => {
    const assistantId = await assistantOf(ada);
    return { assistantId, ...filesOf(app, ada, assistantId) };
  };
  const stored = async () => {
    const keys: string[] = [];
    for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
    return keys;
  };

  it('D1: an upload is 200 and answers what it stored, with the id of the new file', async () => {
    const { upload, assistantId } = await withFiles();
    expect(await upload('Hello', { name: 'hello.txt', type: 'text/plain' })).toMatchObject({
      status: 200,
    });
    const { body } = await upload('Hello again', { name: 'again.md', type: 'text/markdown' });
    expect(body).toEqual({
      success: true,
      assistantId,
      file: {
        id,
        originalName: 'again.md',
        size: 11,
        mimeType: 'text/markdown',
        uploadedAt: time,
        processingStatus: 'PENDING',
        hash: hashOf('Hello again'),
      },
    });
  });

  it('the list has every file of the assistant, newest first, with their number', async () => {
    const { upload, list, assistantId } = await withFiles();
    expect((await list()).body).toEqual({ files: [], count: 0, assistantId });
    const [first, second] = [
      fileIdIn(await upload('one', { name: 'one.txt' })),
      fileIdIn(await upload('three', { name: 'two.txt' })),
    ];
    const common = {
      mimeType: 'text/plain',
      createdAt: time,
      updatedAt: time,
      processingStatus: 'PENDING',
    };
    expect((await list()).body).toEqual({
      files: [
        { ...common, id: second, originalName: 'two.txt', size: 5, hash: hashOf('three') },
        { ...common, id: first, originalName: 'one.txt', size: 3, hash: hashOf('one') },
      ],
      count: 2,
      assistantId,
    });
  });

  it('the list costs one statement, however many files there are', async () => {
    const { upload, list } = await withFiles();
    const watched = watchStatements();
    try {
      expect((await watched.during(list)).statements).toHaveLength(1);
      for (let made = 0; made < 5; made += 1) await upload(`file ${made}`);
      expect((await watched.during(list)).statements).toHaveLength(1);
    } finally {
      watched.stop();
    }
  });

  it('D19: the metadata of a file tell all that is known of it', async () => {
    const { upload, get, assistantId } = await withFiles();
    const fileId = fileIdIn(await upload('Hello'));
    const { status, headers, body } = await get(fileId);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: fileId,
        originalName: 'notes.txt',
        mimeType: 'text/plain',
        size: 5,
        createdAt: time,
        updatedAt: time,
        processingStatus: 'PENDING',
        derivations: [],
        assistantId,
        processingStage: null,
        processingError: null,
        pages: null,
        passages: null,
        hash: hashOf('Hello'),
        etag: headers.get('etag'),
      },
    });
  });

  it('D20: a replacement has a new id, and the old one is 404 at once', async () => {
    const { upload, replace, get, content, list, assistantId } = await withFiles();
    const old = fileIdIn(await upload('old', { name: 'old.txt' }));
    const { status, body } = await replace(old, 'newer', { name: 'new.csv', type: 'text/csv' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        assistantId,
        replacedId: old,
        originalId: old,
        unchanged: false,
        file: {
          id,
          originalName: 'new.csv',
          size: 5,
          mimeType: 'text/csv',
          uploadedAt: time,
          processingStatus: 'PENDING',
          hash: hashOf('newer'),
        },
      },
    });
    const next = fileIdIn({ body });
    expect(next).not.toBe(old);
    expect([await get(old), await content(old), await replace(old, 'x')]).toMatchObject([
      notFound,
      notFound,
      notFound,
    ]);
    expect(Object((await list()).body['files']).map((file: { id: string }) => file.id)).toEqual([
      next,
    ]);
    expect((await content(next)).text).toBe('newer');
  });

  it('D38: a replacement with the same content and name has a new id too, and the old one is 404 at once', async () => {
    const { upload, replace, get, content, list } = await withFiles();
    const old = fileIdIn(await upload('same'));
    const again = await replace(old, 'same');
    expect(again).toMatchObject({
      status: 200,
      body: { replacedId: old, originalId: old, unchanged: true },
    });
    const next = fileIdIn(again);
    expect(next).not.toBe(old);
    expect([await get(old), await content(old), await replace(old, 'same')]).toMatchObject([
      notFound,
      notFound,
      notFound,
    ]);
    expect(Object((await list()).body['files']).map((file: { id: string }) => file.id)).toEqual([
      next,
    ]);
    expect((await content(next)).text).toBe('same');
    expect((await replace(next, 'same', { name: 'renamed.txt' })).body).toMatchObject({
      unchanged: false,
      file: { originalName: 'renamed.txt' },
    });
  });

  it('a deleted file is gone, its bytes too, and the answer says what is', async () => {
    const { upload, remove, get, content, list, assistantId } = await withFiles();
    const fileId = fileIdIn(await upload('to be deleted'));
    const key = (await stored()).find((candidate) => candidate.endsWith(fileId));
    expect(key).toBeDefined();
    const { status, body } = await remove(fileId);
    // No vault is there to ask: what it may have follows.
    const deleted = { original: true, derived: [], passages: 0, pending: true };
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, assistantId, originalId: fileId, deleted },
    });
    expect([await get(fileId), await content(fileId), await remove(fileId)]).toMatchObject([
      notFound,
      notFound,
      notFound,
    ]);
    expect((await list()).body['count']).toBe(0);
    expect(await stored()).not.toContain(key);
  });

  describe('an entity tag', () => {
    it('stays while nothing changes, and then a client that has it gets 304 without a body', async () => {
      const { upload, get } = await withFiles();
      const fileId = fileIdIn(await upload('tagged'));
      const tag = (await get(fileId)).headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[!-~]+"$/);
      for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        expect(await get(fileId, { 'if-none-match': header })).toMatchObject({
          status: 304,
          text: '',
        });
      }
      expect((await get(fileId, { 'if-none-match': '"other"' })).status).toBe(200);
      await app.database.prisma.assistantFile.update({
        where: { id: fileId },
        data: { stage: 'EXTRACTING', status: 'PROCESSING' },
      });
      expect((await get(fileId, { 'if-none-match': tag })).status).toBe(200);
    });

    it('guards a replacement and a deletion: with another one they are 412 and change nothing', async () => {
      const { upload, get, replace, remove } = await withFiles();
      const fileId = fileIdIn(await upload('guarded'));
      const tag = (await get(fileId)).headers.get('etag') ?? '';
      for (const header of ['"other"', `W/${tag}`, 'nonsense']) {
        expect((await replace(fileId, 'x', {}, { 'if-match': header })).status).toBe(412);
        expect((await remove(fileId, { 'if-match': header })).status).toBe(412);
      }
      expect((await get(fileId)).headers.get('etag')).toBe(tag);
      const next = fileIdIn(await replace(fileId, 'next', {}, { 'if-match': `"other", ${tag}` }));
      expect((await remove(next, { 'if-match': '*' })).status).toBe(200);
    });
  });

  it('an upload whose right to it ends while it is under way is refused, and leaves no byte', async () => {
    const { path, assistantId } = await withFiles();
    const before = await stored();
    const bytes = formOf([
      { name: 'file', fileName: 'late.bin', content: Buffer.alloc(300_000, 1) },
    ]);
    async function* body() {
      yield bytes.subarray(0, 200_000);
      await app.database.prisma.assistant.delete({ where: { id: assistantId } });
      yield bytes.subarray(200_000);
    }
    const answer = await streamed(app, path(), { key: ada.key, body: body() });
    expect(answer).toMatchObject({ status: 404 });
    expect(await stored()).toEqual(before);
  });

  it('a malformed Idempotency-Key is refused before anything is stored', async () => {
    const { upload, list } = await withFiles();
    const headers = { 'idempotency-key': 'with a space' };
    expect(await upload('x', {}, headers)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Idempotency-Key') },
    });
    expect((await list()).body['count']).toBe(0);
  });

  it('every change stands in the audit log, with who made it', async () => {
    const { upload, replace, remove, assistantId } = await withFiles();
    const first = fileIdIn(await upload('first'));
    const second = fileIdIn(await replace(first, 'second'));
    await remove(second);
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { targetId: { in: [first, second] } },
      orderBy: { id: 'asc' },
    });
    expect(entries).toMatchObject([
      {
        action: 'upload-file',
        actorUserId: ada.id,
        targetId: first,
        changes: { assistantId, size: 5 },
      },
      {
        action: 'replace-file',
        actorUserId: ada.id,
        targetId: second,
        changes: { assistantId, replacedId: first },
      },
      { action: 'delete-file', actorUserId: ada.id, targetId: second, changes: { assistantId } },
    ]);
  });
});
