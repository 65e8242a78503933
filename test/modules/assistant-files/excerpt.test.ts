import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { watchStatements } from '../../support/statements.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let organization: TestOrganization;
let ada: TestPerson;
let assistantId: string;
beforeAll(async () => {
  vault = await startVaultServers();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: vault.client });
  app.startProcessing();
  organization = await app.organization();
  ada = await personIn(app, organization);
  assistantId = await assistantOf(ada);
});
afterAll(async () => {
  await app.close();
  await vault.close();
});

type ExcerptPart = {
  text: string;
  start: number;
  end: number;
  page: number | null;
  headings: string[];
};
type ExcerptAnswer = {
  file: { id: string; originalName: string };
  parts: ExcerptPart[];
  hasEarlier: boolean;
  hasLater: boolean;
};

async function excerptOf(person: TestPerson, documentId: string, [start, end]: [number, number]) {
  const { data, errors } = await person.graph(
    `query ($assistantId: ID!, $documentId: ID!, $start: Int!, $end: Int!) {
      assistantFileExcerpt(assistantId: $assistantId, documentId: $documentId, start: $start, end: $end) {
        file { id originalName } parts { text start end page headings } hasEarlier hasLater } }`,
    { assistantId, documentId, start, end },
  );
  const excerpt: ExcerptAnswer | undefined = data?.['assistantFileExcerpt']
    ? Object(data['assistantFileExcerpt'])
    : undefined;
  return { excerpt, message: errors[0]?.message, code: errors[0]?.extensions?.code };
}

const files = () => filesOf(app, ada, assistantId);
async function uploadAndProcess(
  content: string | Uint8Array,
  name: string,
  status = 'COMPLETED',
): Promise<string> {
  const id = fileIdIn(await files().upload(content, { name }));
  await expect
    .poll(async () => (await files().get(id)).body['processingStatus'], {
      timeout: 60_000,
      interval: 50,
    })
    .toBe(status);
  return id;
}

const paragraphs = Array.from(
  { length: 200 },
  (_, index) => `Paragraph ${index} tells of ${index} flamingos, and of nothing else that matters.`,
);
const birds = ['# Birds', ...paragraphs].join('\n\n');

describe('An excerpt of a file', () => {
  it('An excerpt contains the cited text with its headings, and each sentence around it once', async () => {
    const id = await uploadAndProcess(birds, 'birds.md');
    const run = await ada.call('POST', `/api/assistants/v1/${assistantId}/run`, {
      messages: [{ role: 'user', content: 'Which paragraph tells of 120 flamingos?' }],
    });
    const [citation] = Object(run.body)['citationDetails'];
    const { excerpt } = await excerptOf(ada, citation.documentId, [
      Math.max(0, citation.start - 4_000),
      citation.end + 4_000,
    ]);
    expect(excerpt).toMatchObject({
      file: { id, originalName: 'birds.md' },
      hasEarlier: true,
      hasLater: true,
    });
    const parts = excerpt?.parts ?? [];
    const part = parts.find(({ start, end }) => start <= citation.start && end >= citation.end);
    expect(part?.text.slice(citation.start - part.start, citation.end - part.start)).toBe(
      citation.quote,
    );
    expect(part?.headings).toEqual(['Birds']);
    const text = parts.map((item) => item.text).join('\n');
    for (const paragraph of paragraphs.slice(90, 150))
      expect(text.split(paragraph)).toHaveLength(2);
  });

  it('An excerpt of the complete file has no earlier and no later text', async () => {
    const id = await uploadAndProcess('One sentence about herons.', 'heron.txt');
    const { excerpt } = await excerptOf(ada, id, [0, 20_000]);
    expect(excerpt).toMatchObject({
      parts: [{ text: 'One sentence about herons.', start: 0, end: 26, page: null, headings: [] }],
      hasEarlier: false,
      hasLater: false,
    });
    expect((await excerptOf(ada, id, [5_000, 6_000])).excerpt).toMatchObject({
      parts: [],
      hasLater: false,
    });
  });

  it('Several excerpts of a file read its row once, and each file has its own answer', async () => {
    const [heron, stork] = [
      await uploadAndProcess('Herons wait.', 'heron 1.txt'),
      await uploadAndProcess('Storks clatter.', 'stork 1.txt'),
    ];
    const excerpt = (alias: string, documentId: string) =>
      `${alias}: assistantFileExcerpt(assistantId: "${assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
    const query = `{ ${excerpt('first', heron)} ${excerpt('second', stork)} ${excerpt('third', heron)} ${excerpt('unknown', 'fil_unknown')} }`;
    const watch = watchStatements();
    try {
      const { result, statements } = await watch.during(() => ada.graph(query));
      expect(result.errors).toMatchObject([
        { path: ['unknown'], extensions: { code: 'NOT_FOUND' } },
      ]);
      expect(result.data).toMatchObject({
        first: { parts: [{ text: 'Herons wait.' }] },
        second: { parts: [{ text: 'Storks clatter.' }] },
        third: { parts: [{ text: 'Herons wait.' }] },
      });
      expect(statements.filter((text) => text.includes('assistant_files f'))).toHaveLength(3);
    } finally {
      watch.stop();
    }
  });

  it('A replaced file is NOT_FOUND; if the new version FAILED, its id shows the old text', async () => {
    const id = await uploadAndProcess('Storks stand on one leg.', 'storks.txt');
    const brokenId = fileIdIn(
      await files().replace(id, Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]), { name: 'storks.txt' }),
    );
    await expect
      .poll(async () => (await files().get(brokenId)).body['processingStatus'], {
        timeout: 60_000,
        interval: 50,
      })
      .toBe('FAILED');
    expect((await excerptOf(ada, id, [0, 100])).code).toBe('NOT_FOUND');
    expect((await excerptOf(ada, brokenId, [0, 100])).excerpt?.parts).toMatchObject([
      { text: 'Storks stand on one leg.' },
    ]);
    await files().remove(brokenId);
    expect(await excerptOf(ada, brokenId, [0, 100])).toMatchObject({
      code: 'NOT_FOUND',
      message: 'File not found',
    });
  });

  it('The error for a file without text says why it has none', async () => {
    const id = await uploadAndProcess(
      Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]),
      'broken.bin',
      'FAILED',
    );
    expect(await excerptOf(ada, id, [0, 100])).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^There is no text of this file: .{10,}/),
    });
  });

  it.each([
    [5, 5],
    [6, 5],
    [0, 20_001],
    [-1, 5],
  ])('An excerpt from %i to %i is refused', async (start, end) => {
    const id = await uploadAndProcess('Cranes.', `cranes ${start} ${end}.txt`);
    expect((await excerptOf(ada, id, [start, end])).code).toBe('BAD_INPUT');
  });

  it('An excerpt requires access to the assistant and the feature assistant files', async () => {
    const id = await uploadAndProcess('Gulls are loud.', 'gulls.txt');
    const reader = await personIn(app, organization);
    expect((await excerptOf(reader, id, [0, 10])).code).toBe('FORBIDDEN');
    await share(ada, assistantId, 'VIEW', { userId: reader.id });
    expect((await excerptOf(reader, id, [0, 10])).excerpt?.parts).toHaveLength(1);
    const outsider = await personIn(app, await app.organization());
    expect((await excerptOf(outsider, id, [0, 10])).code).toBe('NOT_FOUND');
    const personWithoutFeature = await personIn(app, await app.organization({ features: [] }));
    expect((await excerptOf(personWithoutFeature, id, [0, 10])).code).toBe('FEATURE_DISABLED');
  });
});
