import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/client/client.ts';
import type { CitationDetail } from '../../../src/client/documented-calls.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { served } from '../../support/served.ts';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

let app: TestApp;
let vault: VaultParts;
let server: Awaited<ReturnType<typeof served>>;
let ada: TestPerson;
let client: Client;
/** Replacements wait here before they reach the vault. */
let gate = Promise.withResolvers<void>();
let waiting = 0;

beforeAll(async () => {
  vault = await vaultParts();
  const ingest: VaultParts['client']['ingest'] = async (document) => {
    waiting += 1;
    await gate.promise;
    waiting -= 1;
    return vault.client.ingest(document);
  };
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: { ...vault.client, ingest } });
  server = await served(app);
  ada = await personIn(app, await app.organization());
  client = createClient({ baseUrl: server.url, apiKey: ada.key });
  gate.resolve();
});
afterAll(async () => {
  server.close();
  await app.close();
  await vault.close();
});

const oldText = [
  'The cafeteria serves lentil soup on Mondays.',
  'Parking costs four euros a day.',
].join('\n\n');
const newText = ['Parking costs nine euros a day.', 'The cafeteria is closed on Mondays.'].join(
  '\n\n',
);
const question = [{ role: 'user' as const, content: 'How much is parking a day?' }];

async function statusOf(assistantId: string, documentId: string) {
  return (await client.getAssistantFile({ assistantId, documentId })).processingStatus;
}

/** An assistant with one COMPLETED file. */
async function withFile() {
  const assistantId = await assistantOf(ada);
  const { file } = await client.uploadAssistantFile({
    assistantId,
    file: new File([oldText], 'parking-2025.txt'),
  });
  await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
  return { assistantId, oldId: file.id };
}

async function askAbout(assistantId: string) {
  const { text, citations, citationDetails } = await client.runAssistant({
    assistantId,
    messages: question,
  });
  expect(citationDetails.length).toBeGreaterThan(0);
  return { text, citations, details: citationDetails };
}

/** What opening a citation shows, as the console asks for it. */
async function opened(assistantId: string, documentId: string, versionId: string) {
  const { data, errors } = await ada.graph(
    `query ($assistantId: ResourceId!, $documentId: ResourceId!, $versionId: ResourceId) {
      assistantFileExcerpt(assistantId: $assistantId, documentId: $documentId, versionId: $versionId, start: 0, end: 1000) {
        file { id originalName } parts { text start } } }`,
    { assistantId, documentId, versionId },
  );
  const excerpt = Object(data?.['assistantFileExcerpt']);
  const code = errors[0]?.extensions?.code;
  return {
    code,
    fileId: excerpt.file?.id,
    text: (excerpt.parts ?? []).map(({ text }: { text: string }) => text).join('\n\n'),
  };
}

function expectCited(text: string, details: CitationDetail[], wanted: Partial<CitationDetail>) {
  for (const detail of details) {
    expect(detail).toMatchObject(wanted);
    expect(text.slice(detail.start, detail.end)).toBe(detail.quote);
  }
}

const fromOld = (documentId: string) => ({
  documentId,
  originalName: 'parking-2025.txt',
  isPreviousVersion: true,
});
const renamed = (text: string | Uint8Array<ArrayBuffer>, name = 'parking-2026.txt') => ({
  name,
  content: new Blob([text]),
});

describe('D39: a citation', () => {
  beforeAll(() => app.startProcessing());

  it('names the replaced content while its replacement waits and is processed, and the new content once that is COMPLETED', async () => {
    const { assistantId, oldId } = await withFile();
    const before = await askAbout(assistantId);
    expect(before.citations).toEqual(['parking-2025.txt']);
    expectCited(oldText, before.details, {
      documentId: oldId,
      originalName: 'parking-2025.txt',
      isPreviousVersion: false,
    });

    gate = Promise.withResolvers();
    // Two of an organization are processed side by side: those that are sent first keep the
    // replacement PENDING.
    const other = await assistantOf(ada);
    const blocking = await Promise.all(
      ['one', 'two'].map((name) =>
        client.uploadAssistantFile({ assistantId: other, file: new File([name], `${name}.txt`) }),
      ),
    );
    await expect.poll(() => waiting).toBe(2);
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: oldId,
      file: renamed(newText),
    });
    expect(await statusOf(assistantId, file.id)).toBe('PENDING');
    const pending = await askAbout(assistantId);
    expect(pending.citations).toEqual(['parking-2025.txt']);
    expectCited(oldText, pending.details, fromOld(file.id));
    expect(pending.text).toContain('four euros');
    const [cited] = pending.details;
    expect(await opened(assistantId, file.id, oldId)).toEqual({
      code: undefined,
      fileId: file.id,
      text: oldText,
    });

    await Promise.all(
      blocking.map(({ file: { id } }) =>
        client.deleteAssistantFile({ assistantId: other, documentId: id }),
      ),
    );
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('PROCESSING');
    expectCited(oldText, (await askAbout(assistantId)).details, fromOld(file.id));

    gate.resolve();
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    const completed = await askAbout(assistantId);
    expect(completed.citations).toEqual(['parking-2026.txt']);
    expectCited(newText, completed.details, {
      documentId: file.id,
      originalName: 'parking-2026.txt',
      isPreviousVersion: false,
    });
    // The cited content is gone: another text at its place is no answer.
    expect(await opened(assistantId, cited?.documentId ?? '', oldId)).toMatchObject({
      code: 'NOT_FOUND',
      text: '',
    });
    expect(await opened(assistantId, file.id, file.id)).toMatchObject({
      fileId: file.id,
      text: newText,
    });
  });

  it('names the last content that could be read after replacements have FAILED', async () => {
    const { assistantId, oldId } = await withFile();
    const unreadable = new Uint8Array([0, 1, 2, 3, 255, 254, 0, 9]);
    let current = oldId;
    for (const name of ['second.bin', 'third.bin']) {
      const { file } = await client.replaceAssistantFile({
        assistantId,
        documentId: current,
        file: renamed(unreadable, name),
      });
      current = file.id;
      await expect.poll(() => statusOf(assistantId, current), { timeout: 60_000 }).toBe('FAILED');
      const failed = await askAbout(assistantId);
      expect(failed.citations).toEqual(['parking-2025.txt']);
      expectCited(oldText, failed.details, fromOld(current));
      expect(await opened(assistantId, current, oldId)).toEqual({
        code: undefined,
        fileId: current,
        text: oldText,
      });
    }
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: current,
      file: renamed(newText),
    });
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    expectCited(newText, (await askAbout(assistantId)).details, {
      documentId: file.id,
      isPreviousVersion: false,
    });
  });

  it('of an answer that was given before the replacement can be opened as long as the replaced content answers', async () => {
    const { assistantId, oldId } = await withFile();
    gate = Promise.withResolvers();
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: oldId,
      file: renamed(newText),
    });
    expect(await opened(assistantId, oldId, oldId)).toEqual({
      code: undefined,
      fileId: file.id,
      text: oldText,
    });
    gate.resolve();
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    expect((await opened(assistantId, oldId, oldId)).code).toBe('NOT_FOUND');
  });

  it('never shows the version of another assistant', async () => {
    const { oldId } = await withFile();
    const another = await assistantOf(ada);
    expect((await opened(another, oldId, oldId)).code).toBe('NOT_FOUND');
  });
});

describe('a run during the swap', () => {
  it('searches again when the version that it found was replaced before its row was read', async () => {
    const { searchKnowledgeBase } = await import(
      '../../../src/modules/runs/search-knowledge-base.ts'
    );
    const passage = {
      ordinal: 0,
      text: 'text',
      page: null,
      headings: [],
      start: 0,
      end: 4,
      score: 1,
    };
    const versions = ['old', 'new'];
    const search = async () => Object({ passages: [{ ...passage, document: versions.shift() }] });
    const sql = async () =>
      versions.length === 0
        ? [{ id: 'new', originalName: 'new.txt', isPreviousVersion: false, document: 'new' }]
        : [];
    const question = {
      assistantId: 'a',
      organizationId: 'o',
      query: 'q',
      signal: new AbortController().signal,
    };
    const found = await searchKnowledgeBase(question, {
      vault: { search },
      database: { sql: Object(sql) },
    });
    expect(found).toMatchObject([
      { documentId: 'new', versionId: 'new', originalName: 'new.txt', isPreviousVersion: false },
    ]);
  });
});
