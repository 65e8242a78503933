import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/client/client.ts';
import type { CitationDetail } from '../../../src/client/documented-calls.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { type ServedApp, serveApp } from '../../support/serve-app.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let server: ServedApp;
let ada: TestPerson;
let client: Client;
/** Every ingest waits for this gate before it reaches the vault. */
let ingestGate = Promise.withResolvers<void>();
let waitingCount = 0;

beforeAll(async () => {
  vault = await startVaultServers();
  const ingest: VaultServers['client']['ingest'] = async (document) => {
    waitingCount += 1;
    await ingestGate.promise;
    waitingCount -= 1;
    return vault.client.ingest(document);
  };
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: { ...vault.client, ingest } });
  server = await serveApp(app);
  ada = await personIn(app, await app.organization());
  client = createClient({ baseUrl: server.url, apiKey: ada.key });
  ingestGate.resolve();
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

/** Creates an assistant with one COMPLETED file. */
async function createAssistantWithFile() {
  const assistantId = await assistantOf(ada);
  const { file } = await client.uploadAssistantFile({
    assistantId,
    file: new File([oldText], 'parking-2025.txt'),
  });
  await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
  return { assistantId, oldId: file.id };
}

async function ask(assistantId: string) {
  const { text, citations, citationDetails } = await client.runAssistant({
    assistantId,
    messages: question,
  });
  expect(citationDetails.length).toBeGreaterThan(0);
  return { text, citations, details: citationDetails };
}

/** Opens a citation with the query that the console uses. */
async function openCitation(assistantId: string, documentId: string, versionId: string) {
  const { data, errors } = await ada.graph(
    `query ($assistantId: ID!, $documentId: ID!, $versionId: ID) {
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

function expectCitations(
  text: string,
  details: CitationDetail[],
  expected: Partial<CitationDetail>,
) {
  for (const detail of details) {
    expect(detail).toMatchObject(expected);
    expect(text.slice(detail.start, detail.end)).toBe(detail.quote);
  }
}

const oldVersion = (documentId: string) => ({
  documentId,
  originalName: 'parking-2025.txt',
  isPreviousVersion: true,
});
const replacementFile = (text: string | Uint8Array<ArrayBuffer>, name = 'parking-2026.txt') => ({
  name,
  content: new Blob([text]),
});

describe('A citation of a replaced file', () => {
  beforeAll(() => app.startProcessing());

  it('A citation names the replaced version until its replacement is COMPLETED, and then the new version', async () => {
    const { assistantId, oldId } = await createAssistantWithFile();
    const before = await ask(assistantId);
    expect(before.citations).toEqual(['parking-2025.txt']);
    expectCitations(oldText, before.details, {
      documentId: oldId,
      originalName: 'parking-2025.txt',
      isPreviousVersion: false,
    });

    ingestGate = Promise.withResolvers();
    // The processor takes two files of an organization at a time. The two files that are sent first
    // keep the replacement PENDING.
    const otherAssistantId = await assistantOf(ada);
    const blockingFiles = await Promise.all(
      ['one', 'two'].map((name) =>
        client.uploadAssistantFile({
          assistantId: otherAssistantId,
          file: new File([name], `${name}.txt`),
        }),
      ),
    );
    await expect.poll(() => waitingCount).toBe(2);
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: oldId,
      file: replacementFile(newText),
    });
    expect(await statusOf(assistantId, file.id)).toBe('PENDING');
    const pending = await ask(assistantId);
    expect(pending.citations).toEqual(['parking-2025.txt']);
    expectCitations(oldText, pending.details, oldVersion(file.id));
    expect(pending.text).toContain('four euros');
    const [oldCitation] = pending.details;
    expect(await openCitation(assistantId, file.id, oldId)).toEqual({
      code: undefined,
      fileId: file.id,
      text: oldText,
    });

    await Promise.all(
      blockingFiles.map(({ file: { id } }) =>
        client.deleteAssistantFile({ assistantId: otherAssistantId, documentId: id }),
      ),
    );
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('PROCESSING');
    expectCitations(oldText, (await ask(assistantId)).details, oldVersion(file.id));

    ingestGate.resolve();
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    const completed = await ask(assistantId);
    expect(completed.citations).toEqual(['parking-2026.txt']);
    expectCitations(newText, completed.details, {
      documentId: file.id,
      originalName: 'parking-2026.txt',
      isPreviousVersion: false,
    });
    // The cited content no longer exists. The text of another version at the same offsets would be
    // wrong.
    expect(await openCitation(assistantId, oldCitation?.documentId ?? '', oldId)).toMatchObject({
      code: 'NOT_FOUND',
      text: '',
    });
    expect(await openCitation(assistantId, file.id, file.id)).toMatchObject({
      fileId: file.id,
      text: newText,
    });
  });

  it('After replacements have FAILED, a citation names the last version that could be read', async () => {
    const { assistantId, oldId } = await createAssistantWithFile();
    const unreadable = new Uint8Array([0, 1, 2, 3, 255, 254, 0, 9]);
    let current = oldId;
    for (const name of ['second.bin', 'third.bin']) {
      const { file } = await client.replaceAssistantFile({
        assistantId,
        documentId: current,
        file: replacementFile(unreadable, name),
      });
      current = file.id;
      await expect.poll(() => statusOf(assistantId, current), { timeout: 60_000 }).toBe('FAILED');
      const failed = await ask(assistantId);
      expect(failed.citations).toEqual(['parking-2025.txt']);
      expectCitations(oldText, failed.details, oldVersion(current));
      expect(await openCitation(assistantId, current, oldId)).toEqual({
        code: undefined,
        fileId: current,
        text: oldText,
      });
    }
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: current,
      file: replacementFile(newText),
    });
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    expectCitations(newText, (await ask(assistantId)).details, {
      documentId: file.id,
      isPreviousVersion: false,
    });
  });

  it('A citation from before a replacement can be opened until the replacement is COMPLETED', async () => {
    const { assistantId, oldId } = await createAssistantWithFile();
    ingestGate = Promise.withResolvers();
    const { file } = await client.replaceAssistantFile({
      assistantId,
      documentId: oldId,
      file: replacementFile(newText),
    });
    expect(await openCitation(assistantId, oldId, oldId)).toEqual({
      code: undefined,
      fileId: file.id,
      text: oldText,
    });
    ingestGate.resolve();
    await expect.poll(() => statusOf(assistantId, file.id), { timeout: 60_000 }).toBe('COMPLETED');
    expect((await openCitation(assistantId, oldId, oldId)).code).toBe('NOT_FOUND');
  });

  it('A version of a file cannot be opened through another assistant', async () => {
    const { oldId } = await createAssistantWithFile();
    const another = await assistantOf(ada);
    expect((await openCitation(another, oldId, oldId)).code).toBe('NOT_FOUND');
  });
});

describe('A run during the swap of two versions', () => {
  it('A run searches again if a found version was replaced before its row was read', async () => {
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
    const passages = await searchKnowledgeBase(question, {
      vault: { search },
      database: { sql: Object(sql) },
    });
    expect(passages).toMatchObject([
      { documentId: 'new', versionId: 'new', originalName: 'new.txt', isPreviousVersion: false },
    ]);
  });
});
