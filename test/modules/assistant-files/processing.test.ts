import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Processing,
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
const running: Processing[] = [];
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
  await Promise.all(running.splice(0).map((processing) => processing.stop()));
});
afterAll(async () => {
  await app.close();
  await vault.stop();
  vault.client.close();
  directory.remove();
});

/** A process that works on files, as `npm start` is one. */
function begin() {
  const { database, files: parts, clock, log } = app.contextParts;
  const processing = processFiles({ database, files: parts, clock, log });
  running.push(processing);
  return processing;
}

const stateOf = async (id: string) => (await files.get(id)).body;
const statusOf = async (id: string) => (await stateOf(id))['processingStatus'];
async function until(id: string, status: string): Promise<void> {
  for (const processing of running) processing.wake();
  await expect.poll(() => statusOf(id), { timeout: 60_000, interval: 20 }).toBe(status);
}
const row = (id: string) => app.database.prisma.assistantFile.findUniqueOrThrow({ where: { id } });
const removals = () => app.database.prisma.fileRemoval.count();
const keys = async () => {
  const found: string[] = [];
  for await (const { key } of app.contextParts.files.storage.list())
    found.push(key.split('/')[1] ?? '');
  return found;
};
const upload = async (content: string) => fileIdIn(await files.upload(content));
/** Puts a file's next attempt into the present. */
const hurry = (id: string) =>
  app.database.prisma.assistantFile.updateMany({
    where: { id, status: 'PENDING' },
    data: { nextAttemptAt: null },
  });

describe('a file', () => {
  it('D19: goes from PENDING over PROCESSING with its stages to COMPLETED, and then says what was found', async () => {
    const release = vault.hold();
    const id = await upload('a text to be found');
    expect(await stateOf(id)).toMatchObject({
      processingStatus: 'PENDING',
      processingStage: null,
      derivations: [],
    });
    begin();
    await expect
      .poll(() => stateOf(id), { timeout: 60_000 })
      .toMatchObject({
        processingStatus: 'PROCESSING',
        processingStage: 'EXTRACTING',
        derivations: [],
      });
    release();
    await until(id, 'COMPLETED');
    expect(await stateOf(id)).toMatchObject({
      processingStage: null,
      processingError: null,
      derivations: ['text', 'chunks', 'embeddings'],
      mimeType: 'text/x-found',
      passages: 1,
    });
    expect(vault.documentsOf(assistantId)).toEqual({ [id]: 'a text to be found' });
  });

  it('D19: that can not be read is FAILED at once, with a code and a sentence', async () => {
    begin();
    const id = await upload('this is unreadable');
    await until(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({
      processingError: { code: 'ENCRYPTED', message: 'The document is protected by a password' },
      processingStage: null,
      derivations: [],
    });
    expect((await row(id)).attempts).toBe(1);
  });

  it('waits for a vault that is away, for as long as it takes', async () => {
    await vault.stop();
    begin();
    const id = await upload('waits');
    await expect
      .poll(async () => (await row(id)).nextAttemptAt, { timeout: 60_000 })
      .not.toBeNull();
    expect(await statusOf(id)).toBe('PENDING');
    await vault.start();
    await hurry(id);
    await until(id, 'COMPLETED');
    expect((await row(id)).attempts).toBe(1);
  });

  it('waits for a vault that has no room, however often it was tried', async () => {
    vault.full(true);
    const id = await upload('waits for room');
    await app.database.prisma.assistantFile.update({ where: { id }, data: { attempts: 5 } });
    begin();
    await expect
      .poll(async () => (await row(id)).nextAttemptAt ?? (await statusOf(id)), { timeout: 60_000 })
      .toBeInstanceOf(Date);
    expect(await row(id)).toMatchObject({ status: 'PENDING', attempts: 5 });
    vault.full(false);
    await hurry(id);
    await until(id, 'COMPLETED');
  });

  it('for which the vault fails for no known reason is tried again later, not at once', async () => {
    begin();
    const id = await upload('faulty');
    await expect
      .poll(async () => (await row(id)).nextAttemptAt, { timeout: 60_000 })
      .not.toBeNull();
    expect(await statusOf(id)).toBe('PENDING');
  });

  it('that was tried too often for no known reason is FAILED, and says what can be done', async () => {
    const id = await upload('whatever');
    await app.database.prisma.assistantFile.update({
      where: { id },
      data: { attempts: 10, status: 'PROCESSING', leaseUntil: new Date(0), leaseHolder: 'dead' },
    });
    begin();
    await until(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({
      processingError: {
        code: 'PROCESSING_FAILED',
        message: expect.stringContaining('upload it again'),
      },
    });
  });

  it('whose original is lost is FAILED, and says so', async () => {
    const id = await upload('lost');
    await app.contextParts.files.storage.remove((await row(id)).storageKey);
    begin();
    await until(id, 'FAILED');
    expect(await stateOf(id)).toMatchObject({ processingError: { code: 'ORIGINAL_LOST' } });
  });
});

describe('several processes', () => {
  it('process each file once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upload(`file ${index}`)),
    );
    vault.seen.length = 0;
    for (let made = 0; made < 3; made += 1) begin();
    for (const id of ids) await until(id, 'COMPLETED');
    expect(vault.seen.filter((line) => line.startsWith('PUT')).toSorted()).toEqual(
      ids.map((id) => `PUT documents ${id}`).toSorted(),
    );
  });

  it('take over the file of one that has died, when its lease is over', async () => {
    const [dead, alive] = [await upload('of a dead process'), await upload('of a living process')];
    const lease = (id: string, leaseUntil: Date) =>
      app.database.prisma.assistantFile.update({
        where: { id },
        data: { status: 'PROCESSING', leaseHolder: 'another', leaseUntil, attempts: 1 },
      });
    await lease(dead, new Date(0));
    await lease(alive, new Date(Date.now() + 60_000));
    begin();
    await until(dead, 'COMPLETED');
    expect(await row(alive)).toMatchObject({ status: 'PROCESSING', leaseHolder: 'another' });
  });

  it('a process that stops gives its file back, as if it had not begun', async () => {
    const release = vault.hold();
    const id = await upload('given back');
    const processing = begin();
    await until(id, 'PROCESSING');
    await processing.stop();
    expect(await row(id)).toMatchObject({
      status: 'PENDING',
      stage: null,
      attempts: 0,
      leaseHolder: null,
      leaseUntil: null,
    });
    release();
    begin();
    await until(id, 'COMPLETED');
  });
});

describe('a replacement', () => {
  it('D20: the old content answers until the new one is COMPLETED, then only the new one; the old original is gone', async () => {
    begin();
    const old = await upload('old content');
    await until(old, 'COMPLETED');
    const release = vault.hold();
    const next = fileIdIn(await files.replace(old, 'new content'));
    await until(next, 'PROCESSING');
    expect(vault.documentsOf(assistantId)).toEqual({ [old]: 'old content' });
    await expect.poll(keys, { timeout: 60_000 }).not.toContain(old);
    expect(vault.documentsOf(assistantId)).toEqual({ [old]: 'old content' });
    release();
    await until(next, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [next]: 'new content' });
    expect(await row(next)).toMatchObject({ replacesId: null });
  });

  it('D20: that fails leaves the old content searchable; a further one replaces that', async () => {
    begin();
    const old = await upload('old content');
    await until(old, 'COMPLETED');
    const failed = fileIdIn(await files.replace(old, 'unreadable'));
    await until(failed, 'FAILED');
    expect(vault.documentsOf(assistantId)).toEqual({ [old]: 'old content' });
    const next = fileIdIn(await files.replace(failed, 'readable'));
    await until(next, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [next]: 'readable' });
    await expect.poll(keys, { timeout: 60_000 }).toEqual([next]);
  });

  it('that is deleted before it was COMPLETED takes along what it was to replace', async () => {
    begin();
    const old = await upload('old content');
    await until(old, 'COMPLETED');
    const failed = fileIdIn(await files.replace(old, 'unreadable'));
    await until(failed, 'FAILED');
    expect((await files.remove(failed)).body['deleted']).toMatchObject({
      original: true,
      pending: false,
    });
    expect(vault.documentsOf(assistantId)).toEqual({});
    await expect
      .poll(async () => [await keys(), await removals()], { timeout: 60_000 })
      .toEqual([[], 0]);
  });

  it('with the same content is processed like any other, and answers in the place of the old one', async () => {
    begin();
    const old = await upload('same content');
    await until(old, 'COMPLETED');
    const next = fileIdIn(await files.replace(old, 'same content'));
    expect(next).not.toBe(old);
    await until(next, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toEqual({ [next]: 'same content' });
  });
});

describe('a deletion', () => {
  it('removes the original, what was made of it, and its passages, and says so', async () => {
    begin();
    const id = await upload('to be deleted');
    await until(id, 'COMPLETED');
    const { body } = await files.remove(id);
    expect(body['deleted']).toEqual({
      original: true,
      derived: ['text', 'chunks', 'embeddings'],
      passages: 1,
      pending: false,
    });
    expect([vault.documentsOf(assistantId), await keys(), await removals()]).toEqual([{}, [], 0]);
  });

  it('while the vault is away says that the rest is pending, and does it as soon as the vault is back', async () => {
    begin();
    const id = await upload('to be deleted');
    await until(id, 'COMPLETED');
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

  it('in the midst of processing leaves nothing in the vault', async () => {
    const release = vault.hold();
    begin();
    const id = await upload('deleted in the midst');
    await until(id, 'PROCESSING');
    await files.remove(id);
    vault.seen.length = 0;
    release();
    await expect.poll(() => vault.seen, { timeout: 60_000 }).toContain(`DELETE documents ${id}`);
    expect([vault.documentsOf(assistantId), await keys()]).toEqual([{}, []]);
  });

  it('in the midst of processing leaves nothing in the vault, though the database is away when that has ended', async () => {
    await app.database.prisma.$executeRawUnsafe('create table if not exists database_is_away ()');
    await app.database.prisma.$executeRawUnsafe(`
      create function fail_when_away() returns trigger language plpgsql as $$ begin
        if exists (select from pg_class where relname = 'database_is_away') then raise exception 'away' using errcode = '57P01'; end if;
        return null;
      end $$`);
    const release = vault.hold();
    begin();
    const id = await upload('deleted in the midst');
    await until(id, 'PROCESSING');
    await files.remove(id);
    await app.database.prisma.$executeRawUnsafe(
      'create trigger fail_when_away before update on assistant_files for each statement execute function fail_when_away()',
    );
    vault.seen.length = 0;
    release();
    try {
      await expect
        .poll(() => app.logLines.join(''), { timeout: 60_000 })
        .toContain('Processing files failed unexpectedly');
    } finally {
      await app.database.prisma.$executeRawUnsafe('drop table database_is_away');
      await app.database.prisma.$executeRawUnsafe('drop trigger fail_when_away on assistant_files');
    }
    await expect.poll(() => vault.seen, { timeout: 60_000 }).toContain(`DELETE documents ${id}`);
    expect(vault.documentsOf(assistantId)).toEqual({});
  });

  it('of an assistant removes all its files and passages', async () => {
    begin();
    const ids = await Promise.all(['one', 'two'].map(upload));
    for (const id of ids) await until(id, 'COMPLETED');
    await ada.graph(
      'mutation ($id: ResourceId!) { deleteAssistant(assistantId: $id) { success } }',
      { id: assistantId },
    );
    await expect
      .poll(async () => [vault.documentsOf(assistantId), await keys(), await removals()], {
        timeout: 60_000,
      })
      .toEqual([{}, [], 0]);
  });
});

describe('the start of a process', () => {
  it('processes again what the vault has lost, and removes from it what no row knows', async () => {
    const processing = begin();
    const id = await upload('lost by the vault');
    await until(id, 'COMPLETED');
    await processing.stop();
    const documents = vault.collections.get(assistantId);
    documents?.delete(id);
    documents?.set('nobody-knows-it', { hash: '', text: '' });
    vault.collections.set('no-assistant', new Map([['nor-this', { hash: '', text: '' }]]));
    begin();
    await expect
      .poll(() => vault.documentsOf(assistantId), { timeout: 60_000 })
      .toEqual({ [id]: 'lost by the vault' });
    await until(id, 'COMPLETED');
    await expect.poll(() => vault.documentsOf('no-assistant'), { timeout: 60_000 }).toEqual({});
  });

  it('keeps what answers for a file that is not COMPLETED yet', async () => {
    const processing = begin();
    const old = await upload('old content');
    await until(old, 'COMPLETED');
    const failed = fileIdIn(await files.replace(old, 'unreadable'));
    await until(failed, 'FAILED');
    await processing.stop();
    vault.seen.length = 0;
    begin();
    await expect
      .poll(() => vault.seen.filter((line) => line.startsWith('GET documents')).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(0);
    const marker = await upload('processed after the comparison');
    await until(marker, 'COMPLETED');
    expect(vault.documentsOf(assistantId)).toMatchObject({ [old]: 'old content' });
  });

  it('waits for a vault that comes up later', async () => {
    const processing = begin();
    const id = await upload('there before');
    await until(id, 'COMPLETED');
    await processing.stop();
    vault.collections.clear();
    vault.failing(true);
    begin();
    await expect.poll(() => vault.seen.at(-1), { timeout: 60_000 }).toContain('GET collections');
    vault.failing(false);
    await expect
      .poll(() => vault.documentsOf(assistantId), { timeout: 60_000 })
      .toEqual({ [id]: 'there before' });
  });

  it('removes stored files that no row knows, but none that may be on its way in', async () => {
    const kept = await upload('kept');
    const { organizationId } = await row(kept);
    for (const name of ['orphan', 'on-its-way'])
      await app.contextParts.files.storage.put(
        `${organizationId}/${name}`,
        Readable.from([Buffer.from('x')]),
      );
    utimesSync(join(directory.path, 'files', organizationId, 'orphan'), 0, 0);
    utimesSync(join(directory.path, 'files', organizationId, kept), 0, 0);
    begin();
    await expect
      .poll(async () => (await keys()).toSorted(), { timeout: 60_000 })
      .toEqual([kept, 'on-its-way'].toSorted());
  });
});
