import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf, formOf, sendStream } from '../../support/files.ts';
import { testBucket } from '../../support/s3.ts';
import { watchStatements } from '../../support/statements.ts';

const timestampPattern = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const idPattern = expect.stringMatching(/^[0-9a-f-]{36}$/);
const notFound = { status: 404, body: { status: 'error', message: expect.any(String) } };
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

const storageKinds: Record<
  string,
  () => Promise<{ settings: Record<string, string>; close: () => unknown }>
> = {
  'a disk': async () => ({ settings: {}, close: () => undefined }),
  S3: async () => {
    const { settings, close } = await testBucket();
    return { settings, close };
  },
};

describe.each(Object.entries(storageKinds))(
  'The assistant files API with %s as storage',
  (_, openStorage) => {
    let app: TestApp;
    let ada: TestPerson;
    let close: () => unknown;
    beforeAll(async () => {
      const storage = await openStorage();
      app = await testApp({ USER_KEY_LIMIT: '100000', ...storage.settings });
      close = storage.close;
      ada = await personIn(app, await app.organization());
    });
    afterAll(async () => {
      await app.close();
      await close();
    });

    const createAssistantFiles = async () => {
      const assistantId = await assistantOf(ada);
      return { assistantId, ...filesOf(app, ada, assistantId) };
    };
    const storedKeys = async () => {
      const keys: string[] = [];
      for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
      return keys;
    };

    it('An upload is answered with 200 and the stored file with its id', async () => {
      const { upload, assistantId } = await createAssistantFiles();
      expect(await upload('Hello', { name: 'hello.txt', type: 'text/plain' })).toMatchObject({
        status: 200,
      });
      const { body } = await upload('Hello again', { name: 'again.md', type: 'text/markdown' });
      expect(body).toEqual({
        success: true,
        assistantId,
        file: {
          id: idPattern,
          originalName: 'again.md',
          size: 11,
          mimeType: 'text/markdown',
          uploadedAt: timestampPattern,
          processingStatus: 'PENDING',
          hash: hashOf('Hello again'),
        },
      });
    });

    it('The list of files has every file of the assistant, newest first, and their number', async () => {
      const { upload, list, assistantId } = await createAssistantFiles();
      expect((await list()).body).toEqual({ files: [], count: 0, assistantId });
      const [first, second] = [
        fileIdIn(await upload('one', { name: 'one.txt' })),
        fileIdIn(await upload('three', { name: 'two.txt' })),
      ];
      const common = {
        mimeType: 'text/plain',
        createdAt: timestampPattern,
        updatedAt: timestampPattern,
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

    it('The list of many files takes as many SQL statements as an empty list', async () => {
      const { upload, list } = await createAssistantFiles();
      const statementWatch = watchStatements();
      try {
        const forNone = (await statementWatch.during(list)).statements.length;
        for (let index = 0; index < 5; index += 1) await upload(`file ${index}`);
        expect((await statementWatch.during(list)).statements).toHaveLength(forNone);
      } finally {
        statementWatch.stop();
      }
    });

    it('The metadata of a file have all documented fields', async () => {
      const { upload, get, assistantId } = await createAssistantFiles();
      const fileId = fileIdIn(await upload('Hello'));
      const { status, headers, body } = await get(fileId);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id: fileId,
          originalName: 'notes.txt',
          mimeType: 'text/plain',
          size: 5,
          createdAt: timestampPattern,
          updatedAt: timestampPattern,
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

    it('A replacement has a new id, and the old id gets 404 at once', async () => {
      const { upload, replace, get, content, list, assistantId } = await createAssistantFiles();
      const oldId = fileIdIn(await upload('old', { name: 'old.txt' }));
      const { status, body } = await replace(oldId, 'newer', { name: 'new.csv', type: 'text/csv' });
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          assistantId,
          replacedId: oldId,
          originalId: oldId,
          unchanged: false,
          file: {
            id: idPattern,
            originalName: 'new.csv',
            size: 5,
            mimeType: 'text/csv',
            uploadedAt: timestampPattern,
            processingStatus: 'PENDING',
            hash: hashOf('newer'),
          },
        },
      });
      const newId = fileIdIn({ body });
      expect(newId).not.toBe(oldId);
      expect([await get(oldId), await content(oldId), await replace(oldId, 'x')]).toMatchObject([
        notFound,
        notFound,
        notFound,
      ]);
      expect(Object((await list()).body['files']).map((file: { id: string }) => file.id)).toEqual([
        newId,
      ]);
      expect((await content(newId)).text).toBe('newer');
    });

    it('A replacement with the same content and name has a new id too, and the old id gets 404 at once', async () => {
      const { upload, replace, get, content, list } = await createAssistantFiles();
      const oldId = fileIdIn(await upload('same'));
      const again = await replace(oldId, 'same');
      expect(again).toMatchObject({
        status: 200,
        body: { replacedId: oldId, originalId: oldId, unchanged: true },
      });
      const newId = fileIdIn(again);
      expect(newId).not.toBe(oldId);
      expect([await get(oldId), await content(oldId), await replace(oldId, 'same')]).toMatchObject([
        notFound,
        notFound,
        notFound,
      ]);
      expect(Object((await list()).body['files']).map((file: { id: string }) => file.id)).toEqual([
        newId,
      ]);
      expect((await content(newId)).text).toBe('same');
      expect((await replace(newId, 'same', { name: 'renamed.txt' })).body).toMatchObject({
        unchanged: false,
        file: { originalName: 'renamed.txt' },
      });
    });

    it('A deleted file and its bytes are removed, and the answer says what was removed', async () => {
      const { upload, remove, get, content, list, assistantId } = await createAssistantFiles();
      const fileId = fileIdIn(await upload('to be deleted'));
      const key = (await storedKeys()).find((candidate) => candidate.endsWith(fileId));
      expect(key).toBeDefined();
      const { status, body } = await remove(fileId);
      // There is no vault in this test, so the removal of its passages is pending.
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
      expect(await storedKeys()).not.toContain(key);
    });

    describe('The entity tag of a file', () => {
      it('A client with the current entity tag gets 304 without a body until the file changes', async () => {
        const { upload, get } = await createAssistantFiles();
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

      it('A replacement or deletion with another entity tag gets 412 and changes nothing', async () => {
        const { upload, get, replace, remove } = await createAssistantFiles();
        const fileId = fileIdIn(await upload('guarded'));
        const tag = (await get(fileId)).headers.get('etag') ?? '';
        for (const header of ['"other"', `W/${tag}`, 'nonsense']) {
          expect((await replace(fileId, 'x', {}, { 'if-match': header })).status).toBe(412);
          expect((await remove(fileId, { 'if-match': header })).status).toBe(412);
        }
        for (const header of [tag, `W/${tag}`, '*']) {
          expect((await replace(fileId, 'x', {}, { 'if-none-match': header })).status).toBe(412);
          expect((await remove(fileId, { 'if-none-match': header })).status).toBe(412);
        }
        expect((await get(fileId)).headers.get('etag')).toBe(tag);
        const newId = fileIdIn(
          await replace(fileId, 'next', {}, { 'if-match': `"other", ${tag}` }),
        );
        const found = { 'if-match': '*', 'if-none-match': '"other"' };
        expect((await remove(newId, found)).status).toBe(200);
      });
    });

    it('An upload is refused and its bytes are removed if its sender loses access while it is in progress', async () => {
      const { path, assistantId } = await createAssistantFiles();
      const before = await storedKeys();
      const bytes = formOf([
        { name: 'file', fileName: 'late.bin', content: Buffer.alloc(300_000, 1) },
      ]);
      async function* body() {
        yield bytes.subarray(0, 200_000);
        await app.database.prisma.assistant.delete({ where: { id: assistantId } });
        yield bytes.subarray(200_000);
      }
      const answer = await sendStream(app, path(), { key: ada.key, body: body() });
      expect(answer).toMatchObject({ status: 404 });
      expect(await storedKeys()).toEqual(before);
    });

    it('A malformed Idempotency-Key is refused before anything is stored', async () => {
      const { upload, list } = await createAssistantFiles();
      const headers = { 'idempotency-key': 'with a space' };
      expect(await upload('x', {}, headers)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('Idempotency-Key') },
      });
      expect((await list()).body['count']).toBe(0);
    });

    it('The audit log records every change and the person who made it', async () => {
      const { upload, replace, remove, assistantId } = await createAssistantFiles();
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
  },
);
