import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FileProcessor,
  processFiles,
} from '../../../src/modules/assistant-files/processing/process-files.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { vaultStandIn } from '../../support/vault-stand-in.ts';

let app: TestApp;
let ada: TestPerson;
let vault: Awaited<ReturnType<typeof vaultStandIn>>;
let assistantId: string;
let files: ReturnType<typeof filesOf>;
const runningProcessors: FileProcessor[] = [];
const directory = temporaryDirectory();

beforeAll(async () => {
  vault = await vaultStandIn();
  app = await testApp(
    { USER_KEY_LIMIT: '100000', QUOTA_UPLOADS: '1000', DATA_DIR: directory.path },
    { vault: vault.client },
  );
  ada = await personIn(app, await app.organization());
});
beforeEach(async () => {
  await app.database.prisma.assistantFile.deleteMany();
  await app.database.prisma.fileRemoval.deleteMany();
  vault.collections.clear();
  for await (const { key } of app.contextParts.files.storage.list())
    await app.contextParts.files.storage.remove(key);
  assistantId = await assistantOf(ada);
  files = filesOf(app, ada, assistantId);
});
afterEach(async () => {
  await Promise.all(runningProcessors.splice(0).map((processor) => processor.stop()));
});
afterAll(async () => {
  await app.close();
  await vault.stop();
  vault.client.close();
  directory.remove();
});

/** Starts a file processor as `npm start` does. */
function startProcessor() {
  const { database, files: fileServices, clock, log } = app.contextParts;
  const processor = processFiles({ database, files: fileServices, clock, log });
  runningProcessors.push(processor);
  return processor;
}

const stateOf = async (id: string) => (await files.get(id)).body;
const statusOf = async (id: string) => (await stateOf(id))['processingStatus'];
async function waitForStatus(id: string, status: string): Promise<void> {
  for (const processor of runningProcessors) processor.wake();
  await expect.poll(() => statusOf(id), { timeout: 60_000, interval: 20 }).toBe(status);
}
const row = (id: string) => app.database.prisma.assistantFile.findUniqueOrThrow({ where: { id } });
const removals = () => app.database.prisma.fileRemoval.count();
const keys = async () => {
  const foundKeys: string[] = [];
  for await (const { key } of app.contextParts.files.storage.list())
    foundKeys.push(key.split('/')[1] ?? '');
  return foundKeys;
};
const upload = async (content: string) => fileIdIn(await files.upload(content));
/** Makes the next attempt of a file due now. */
const retryNow = (id: string) =>
  app.database.prisma.assistantFile.updateMany({
    where: { id, status: 'PENDING' },
    data: { nextAttemptAt: null },
  });

describe('The processing of a file', () => {
  it('A file goes from PENDING through the stages of PROCESSING to COMPLETED with the results', async () => {
    const release = vault.hold();
    const id = await upload('a text to be found');
    expect(await stateOf(id)).toMatchObject({
      processingStatus: 'PENDING',
      processingStage: null,
      derivations: [],
    });
    startProcessor();
    await expect
      .poll(() => stateOf(id), { timeout: 60_000 })
      .toMatchObject({
        processingStatus: 'PROCESSING',
        processingStage: 'EXTRACTING',
        derivations: [],
      });
    release();
    await waitForStatus(id, 'COMPLETED');
    expect(await stateOf(id)).toMatchObject({
      processingStage: null,
      processingError: null,
      derivations: ['text', 'chunks', 'embeddings'],
      mimeType: 'text/x-found',
      passages: 1,
    });
    expect(vault.documentsOf(assistantId)).toEqual({ [id]: 'a text to be found' });
  });

  it('A file that cannot be read is FAILED after one attempt, with a code and a message', async () => {
    startProcessor();
    const id = await upload('this is unreadable');
    await waitForStatus(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({
      processingError: { code: 'ENCRYPTED', message: 'The document is protected by a password' },
      processingStage: null,
      derivations: [],
    });
    expect((await row(id)).attempts).toBe(1);
  });

  it('The graph answers derivations in upper case, and PROCESSING_FAILED for a cause that only another version knows', async () => {
    startProcessor();
    const [id, failedId] = [await upload('a text'), await upload('this is unreadable')];
    await waitForStatus(id, 'COMPLETED');
    await waitForStatus(failedId, 'FAILED');
    const inGraph = (documentId: string) =>
      ada.graph(
        'query ($assistantId: ID!, $documentId: ID!) { assistantFile(assistantId: $assistantId, documentId: $documentId) { derivations processingError { code } } }',
        { assistantId, documentId },
      );
    expect(await inGraph(id)).toMatchObject({
      data: { assistantFile: { derivations: ['TEXT', 'CHUNKS', 'EMBEDDINGS'] } },
    });
    const failedWith = (code: string) => ({
      data: { assistantFile: { derivations: [], processingError: { code } } },
    });
    expect(await inGraph(failedId)).toMatchObject(failedWith('ENCRYPTED'));
    await app.database.prisma.assistantFile.update({
      where: { id: failedId },
      data: { errorCode: 'WRITTEN_BY_HAND' },
    });
    expect(await inGraph(failedId)).toMatchObject(failedWith('PROCESSING_FAILED'));
    expect(await stateOf(failedId)).toMatchObject({
      processingError: { code: 'PROCESSING_FAILED' },
    });
  });

  it('A file waits without counting attempts while the vault cannot be reached', async () => {
    await vault.stop();
    startProcessor();
    const id = await upload('waits');
    await expect
      .poll(async () => (await row(id)).nextAttemptAt, { timeout: 60_000 })
      .not.toBeNull();
    expect(await statusOf(id)).toBe('PENDING');
    await vault.start();
    await retryNow(id);
    await waitForStatus(id, 'COMPLETED');
    expect((await row(id)).attempts).toBe(1);
  });

  it('A file waits without counting attempts while the vault is full', async () => {
    vault.full(true);
    const id = await upload('waits for room');
    await app.database.prisma.assistantFile.update({ where: { id }, data: { attempts: 5 } });
    startProcessor();
    await expect
      .poll(async () => (await row(id)).nextAttemptAt ?? (await statusOf(id)), { timeout: 60_000 })
      .toBeInstanceOf(Date);
    expect(await row(id)).toMatchObject({ status: 'PENDING', attempts: 5 });
    vault.full(false);
    await retryNow(id);
    await waitForStatus(id, 'COMPLETED');
  });

  it('A file for which the vault fails unexpectedly is retried later', async () => {
    startProcessor();
    const id = await upload('faulty');
    await expect
      .poll(async () => (await row(id)).nextAttemptAt, { timeout: 60_000 })
      .not.toBeNull();
    expect(await statusOf(id)).toBe('PENDING');
  });

  it('A file with too many attempts is FAILED with a message that says what to do', async () => {
    const id = await upload('whatever');
    await app.database.prisma.assistantFile.update({
      where: { id },
      data: { attempts: 10, status: 'PROCESSING', leaseUntil: new Date(0), leaseHolder: 'dead' },
    });
    startProcessor();
    await waitForStatus(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({
      processingError: {
        code: 'PROCESSING_FAILED',
        message: expect.stringContaining('upload it again'),
      },
    });
  });

  it('A file whose original is lost is FAILED with the code ORIGINAL_LOST', async () => {
    const id = await upload('lost');
    await app.contextParts.files.storage.remove((await row(id)).storageKey);
    startProcessor();
    await waitForStatus(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({ processingError: { code: 'ORIGINAL_LOST' } });
  });
});

describe('Several processes that process files', () => {
  it('Three processors process each of 20 files once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upload(`file ${index}`)),
    );
    vault.requests.length = 0;
    for (let index = 0; index < 3; index += 1) startProcessor();
    for (const id of ids) await waitForStatus(id, 'COMPLETED');
    expect(vault.requests.filter((line) => line.startsWith('PUT')).toSorted()).toEqual(
      ids.map((id) => `PUT documents ${id}`).toSorted(),
    );
  });

  it('A processor takes over the file of a dead process once its lease has ended', async () => {
    const [deadFile, liveFile] = [
      await upload('of a dead process'),
      await upload('of a living process'),
    ];
    const setLease = (id: string, leaseUntil: Date) =>
      app.database.prisma.assistantFile.update({
        where: { id },
        data: { status: 'PROCESSING', leaseHolder: 'another', leaseUntil, attempts: 1 },
      });
    await setLease(deadFile, new Date(0));
    await setLease(liveFile, new Date(Date.now() + 60_000));
    startProcessor();
    await waitForStatus(deadFile, 'COMPLETED');
    expect(await row(liveFile)).toMatchObject({ status: 'PROCESSING', leaseHolder: 'another' });
  });

  it('A processor that stops releases its file without counting the attempt', async () => {
    const release = vault.hold();
    const id = await upload('given back');
    const processor = startProcessor();
    await waitForStatus(id, 'PROCESSING');
    await processor.stop();
    expect(await row(id)).toMatchObject({
      status: 'PENDING',
      stage: null,
      attempts: 0,
      leaseHolder: null,
      leaseUntil: null,
    });
    release();
    startProcessor();
    await waitForStatus(id, 'COMPLETED');
  });
});

describe('The replacement of a file', () => {
  it('The vault holds the old content until the new one is COMPLETED; the old original is removed before', async () => {
    startProcessor();
    const oldId = await upload('old content');
    await waitForStatus(oldId, 'COMPLETED');
    const release = vault.hold();
    const newId = fileIdIn(await files.replace(oldId, 'new content'));
    await waitForStatus(newId, 'PROCESSING');
    expect(vault.documentsOf(assistantId)).toEqual({ [oldId]: 'old content' });
    await expect.poll(keys, { timeout: 60_000 }).not.toContain(oldId);
    expect(vault.documentsOf(assistantId)).toEqual({ [oldId]: 'old content' });
    release();
    await waitForStatus(newId, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [newId]: 'new content' });
    expect(await row(newId)).toMatchObject({ replacesId: null });
  });

  it('A failed replacement leaves the old content searchable until a further one succeeds', async () => {
    startProcessor();
    const oldId = await upload('old content');
    await waitForStatus(oldId, 'COMPLETED');
    const failedId = fileIdIn(await files.replace(oldId, 'unreadable'));
    await waitForStatus(failedId, 'FAILED');
    expect(vault.documentsOf(assistantId)).toEqual({ [oldId]: 'old content' });
    const newId = fileIdIn(await files.replace(failedId, 'readable'));
    await waitForStatus(newId, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [newId]: 'readable' });
    await expect.poll(keys, { timeout: 60_000 }).toEqual([newId]);
  });

  it('Deleting a replacement that is not COMPLETED also removes the version that it was to replace', async () => {
    startProcessor();
    const oldId = await upload('old content');
    await waitForStatus(oldId, 'COMPLETED');
    const failedId = fileIdIn(await files.replace(oldId, 'unreadable'));
    await waitForStatus(failedId, 'FAILED');
    expect((await files.remove(failedId)).body['deleted']).toMatchObject({
      original: true,
      pending: false,
    });
    expect(vault.documentsOf(assistantId)).toEqual({});
    await expect
      .poll(async () => [await keys(), await removals()], { timeout: 60_000 })
      .toEqual([[], 0]);
  });

  it('A replacement with the same content is processed and replaces the old document', async () => {
    startProcessor();
    const oldId = await upload('same content');
    await waitForStatus(oldId, 'COMPLETED');
    const newId = fileIdIn(await files.replace(oldId, 'same content'));
    expect(newId).not.toBe(oldId);
    await waitForStatus(newId, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [newId]: 'same content' });
  });
});

describe('The deletion of a file', () => {
  it('A deletion removes the original, its derivations and its passages, and reports it', async () => {
    startProcessor();
    const id = await upload('to be deleted');
    await waitForStatus(id, 'COMPLETED');
    const { body } = await files.remove(id);
    expect(body['deleted']).toEqual({
      original: true,
      derived: ['text', 'chunks', 'embeddings'],
      passages: 1,
      pending: false,
    });
    expect([vault.documentsOf(assistantId), await keys(), await removals()]).toEqual([{}, [], 0]);
  });

  it('A deletion while the vault is down is reported as pending and completed once the vault is back', async () => {
    startProcessor();
    const id = await upload('to be deleted');
    await waitForStatus(id, 'COMPLETED');
    vault.failing(true);
    expect((await files.remove(id)).body['deleted']).toEqual({
      original: true,
      derived: [],
      passages: 0,
      pending: true,
    });
    vault.failing(false);
    expect(vault.documentsOf(assistantId)).toEqual({ [id]: 'to be deleted' });
    await expect
      .poll(async () => [vault.documentsOf(assistantId), await removals()], { timeout: 60_000 })
      .toEqual([{}, 0]);
  });

  it('A deletion during the processing leaves nothing in the vault', async () => {
    const release = vault.hold();
    startProcessor();
    const id = await upload('deleted in the midst');
    await expect.poll(() => vault.requests, { timeout: 30_000 }).toContain(`PUT documents ${id}`);
    await files.remove(id);
    vault.requests.length = 0;
    release();
    await expect
      .poll(() => vault.requests, { timeout: 60_000 })
      .toContain(`DELETE documents ${id}`);
    expect([vault.documentsOf(assistantId), await keys()]).toEqual([{}, []]);
  });

  it('A deletion during the processing leaves nothing in the vault, even if the database fails at its end', async () => {
    await app.database.prisma.$executeRawUnsafe('create table if not exists database_is_away ()');
    await app.database.prisma.$executeRawUnsafe(`
      create function fail_when_away() returns trigger language plpgsql as $$ begin
        if exists (select from pg_class where relname = 'database_is_away') then raise exception 'away' using errcode = '57P01'; end if;
        return null;
      end $$`);
    const release = vault.hold();
    startProcessor();
    const id = await upload('deleted in the midst');
    await expect.poll(() => vault.requests, { timeout: 30_000 }).toContain(`PUT documents ${id}`);
    await files.remove(id);
    await app.database.prisma.$executeRawUnsafe(
      'create trigger fail_when_away before update on assistant_files for each statement execute function fail_when_away()',
    );
    vault.requests.length = 0;
    release();
    try {
      await expect
        .poll(() => app.logLines.join(''), { timeout: 60_000 })
        .toContain('Processing files failed unexpectedly');
    } finally {
      await app.database.prisma.$executeRawUnsafe('drop table database_is_away');
      await app.database.prisma.$executeRawUnsafe('drop trigger fail_when_away on assistant_files');
    }
    await expect
      .poll(() => vault.requests, { timeout: 60_000 })
      .toContain(`DELETE documents ${id}`);
    expect(vault.documentsOf(assistantId)).toEqual({});
  });

  it('Deleting an assistant removes all its files and passages', async () => {
    startProcessor();
    const ids = await Promise.all(['one', 'two'].map(upload));
    for (const id of ids) await waitForStatus(id, 'COMPLETED');
    await ada.graph(
      'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
      { id: assistantId },
    );
    await expect
      .poll(async () => [vault.documentsOf(assistantId), await keys(), await removals()], {
        timeout: 60_000,
      })
      .toEqual([{}, [], 0]);
  });
});

describe('The start of a process', () => {
  it('Files that the vault has lost are processed again, and documents without a row are removed', async () => {
    const processor = startProcessor();
    const id = await upload('lost by the vault');
    await waitForStatus(id, 'COMPLETED');
    await processor.stop();
    const documents = vault.collections.get(assistantId);
    documents?.delete(id);
    documents?.set('nobody-knows-it', { hash: '', text: '' });
    vault.collections.set('no-assistant', new Map([['nor-this', { hash: '', text: '' }]]));
    startProcessor();
    await expect
      .poll(() => vault.documentsOf(assistantId), { timeout: 60_000 })
      .toEqual({ [id]: 'lost by the vault' });
    await waitForStatus(id, 'COMPLETED');
    await expect.poll(() => vault.documentsOf('no-assistant'), { timeout: 60_000 }).toEqual({});
  });

  it('The document of a previous version stays until its replacement is COMPLETED', async () => {
    const processor = startProcessor();
    const oldId = await upload('old content');
    await waitForStatus(oldId, 'COMPLETED');
    const failedId = fileIdIn(await files.replace(oldId, 'unreadable'));
    await waitForStatus(failedId, 'FAILED');
    await processor.stop();
    vault.requests.length = 0;
    startProcessor();
    await expect
      .poll(() => vault.requests.filter((line) => line.startsWith('GET documents')).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
    const marker = await upload('processed after the comparison');
    await waitForStatus(marker, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toMatchObject({ [oldId]: 'old content' });
  });

  it('The reconciliation waits for a vault that starts later', async () => {
    const processor = startProcessor();
    const id = await upload('there before');
    await waitForStatus(id, 'COMPLETED');
    await processor.stop();
    vault.collections.clear();
    vault.failing(true);
    startProcessor();
    await expect
      .poll(() => vault.requests.at(-1), { timeout: 60_000 })
      .toContain('GET collections');
    vault.failing(false);
    await expect
      .poll(() => vault.documentsOf(assistantId), { timeout: 60_000 })
      .toEqual({ [id]: 'there before' });
  });

  it('Old stored files without a row are removed, but recent ones of an upload in progress stay', async () => {
    const keptId = await upload('kept');
    const { organizationId } = await row(keptId);
    for (const name of ['orphan', 'on-its-way'])
      await app.contextParts.files.storage.put(
        `${organizationId}/${name}`,
        Readable.from([Buffer.from('x')]),
      );
    utimesSync(join(directory.path, 'files', organizationId, 'orphan'), 0, 0);
    utimesSync(join(directory.path, 'files', organizationId, keptId), 0, 0);
    startProcessor();
    await expect
      .poll(async () => (await keys()).toSorted(), { timeout: 60_000 })
      .toEqual([keptId, 'on-its-way'].toSorted());
  });
});
