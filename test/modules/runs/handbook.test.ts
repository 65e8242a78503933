import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf, formOf, formType } from '../../support/files.ts';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const handbook = new URL('../../../src/modules/demo/handbook/', import.meta.url);

let app: TestApp;
let vault: VaultServers;
let provider: ModelProvider;
let ada: TestPerson;
let builtIn: string;
let large: string;

beforeAll(async () => {
  vault = await startVaultServers();
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  app = await testApp(
    { USER_KEY_LIMIT: '100000', MODEL_BASE_URL: provider.baseUrl },
    { vault: vault.client },
  );
  app.startProcessing();
  ada = await personIn(app, await app.organization());
  builtIn = await assistantOf(ada);
  large = await assistantOf(ada, { model: 'large' });
  for (const assistantId of [builtIn, large])
    for (const name of readdirSync(handbook))
      await uploadTo(assistantId, name, readFileSync(new URL(name, handbook)));
});
afterAll(async () => {
  await app.close();
  await vault.close();
  await provider.close();
});

async function uploadTo(assistantId: string, name: string, content: string | Buffer) {
  const files = filesOf(app, ada, assistantId);
  const id = fileIdIn(await files.upload(content, { name, type: 'application/octet-stream' }));
  await vi.waitUntil(async () => (await files.get(id)).body['processingStatus'] === 'COMPLETED', {
    timeout: 60_000,
    interval: 50,
  });
}

const ask = async (content: string, assistantId = builtIn) => {
  const answer = await ada.call('POST', `/api/assistants/v1/${assistantId}/run`, {
    messages: [{ role: 'user', content }],
  });
  return answerOf('runAssistant', answer);
};

describe('The demo handbook in a real vault, with the built-in model', () => {
  it.each([
    [
      'How many days of holiday do I get a year?',
      /30 days of paid holiday/,
      'employee-handbook.docx',
    ],
    ['How much is the meal allowance in Austria?', /50 euro/, 'travel-policy.pdf#page=2'],
    ['How are expenses claimed?', /within 30 days after the trip/, 'travel-policy.pdf#page=3'],
    ['When may a flight be booked?', /more than six hours/, 'travel-policy.pdf#page=1'],
    ['What does the battery pack AX-4712 cost?', /512\.50/, 'price-list.csv'],
    ['How long are files in the home folder kept?', /90 days/, 'it-guide.md'],
  ])(
    'The question "%s" is answered from the right file and page',
    async (question, answer, citation) => {
      const { text, model, citations, citationDetails } = await ask(question);
      expect(model).toBe('atrium-extractive');
      expect(text).toMatch(answer);
      expect(citations[0]).toBe(citation);
      expect(citationDetails[0]?.quote).toMatch(answer);
    },
  );

  it('A question that the handbook does not cover is answered with a plain statement of that', async () => {
    expect(await ask('What is the capital of France?')).toMatchObject({
      text: expect.stringMatching(
        /^The knowledge base of this assistant holds nothing on that\. The nearest passages are: \S/,
      ),
      citations: [],
    });
  });
});

describe('A manual with codes in a real vault, with the built-in model', () => {
  let manual: string;
  beforeAll(async () => {
    manual = await assistantOf(ada);
    await uploadTo(
      manual,
      'manual.md',
      [
        '# Störungen',
        '| Anzeige | Ursache | Abhilfe |\n|---|---|---|',
        '| F12 | Volumenstrom zu gering | Schmutzfänger reinigen |',
        '| F45 | Außenfühler unterbrochen | Stecker X7 prüfen |',
        '\n# Dishwasher',
        'E-11: The drain hose is bent. Straighten it and press Start for three seconds.',
      ].join('\n'),
    );
  });

  it.each([
    ['Was bedeutet F45?', /Außenfühler unterbrochen/],
    ['Was heißt E-11 beim Geschirrspüler?', /The drain hose is bent/],
  ])('"%s" is answered by the entry of the code, which it cites', async (question, answer) => {
    const { text, citations, citationDetails } = await ask(question, manual);
    expect(text).toMatch(answer);
    expect(citations[0]).toMatch(/^manual\.md/);
    expect(citationDetails[0]?.quote).toMatch(answer);
  });

  it('A code that the manual does not have is refused in the language of the question', async () => {
    expect(await ask('Was bedeutet F99?', manual)).toMatchObject({
      text: expect.stringMatching(/^Dazu steht nichts in der Wissensbasis dieses Assistenten\./),
      citations: [],
    });
  });
});

describe('The demo handbook with the model of a provider', () => {
  it('The model gets only passages of its own assistant, and its citation names the page', async () => {
    provider.now((_, call) =>
      call === 1
        ? { toolCalls: [{ name: 'search_knowledge', input: { query: 'hotel in Munich' } }] }
        : { text: 'Up to 190 euro are paid for a hotel in Munich [1][2][3][4][5][6][7][8].' },
    );
    const { citationDetails } = await ask('How much may a hotel in Munich cost?', large);
    expect(citationDetails).toContainEqual(
      expect.objectContaining({
        originalName: 'travel-policy.pdf',
        page: 2,
        quote: expect.stringContaining('190'),
      }),
    );
    const { files } = answerOf('listAssistantFiles', await filesOf(app, ada, large).list());
    for (const { documentId } of citationDetails)
      expect(files.map(({ id }) => id)).toContain(documentId);
  });

  it('The model gets the text of a PDF that is sent with one run', async () => {
    provider.now(() => ({ text: 'A lost receipt is replaced by a statement of your own [3].' }));
    const body = formOf([
      {
        name: 'messages',
        content: JSON.stringify([{ role: 'user', content: 'What if I lose a receipt?' }]),
      },
      {
        name: 'files',
        fileName: 'policy.pdf',
        type: 'application/pdf',
        content: readFileSync(new URL('travel-policy.pdf', handbook)),
      },
    ]);
    const path = `/api/assistants/v1/${large}/run`;
    const answer = await app.request('POST', path, {
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': formType },
      body,
    });
    expect(answer.body).toMatchObject({
      citations: ['policy.pdf#page=3'],
      citationDetails: [
        { documentId: null, page: 3, quote: expect.stringContaining('A lost receipt') },
      ],
    });
  });

  it('A sent file that cannot be read is refused before the provider is called', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const body = formOf([
      { name: 'messages', content: '[{"role":"user","content":"Hi"}]' },
      {
        name: 'files',
        fileName: 'broken.pdf',
        type: 'application/pdf',
        content: '%PDF-1.7\nbroken',
      },
    ]);
    const path = `/api/assistants/v1/${large}/run`;
    const answer = await app.request('POST', path, {
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': formType },
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^broken\.pdf: The file/) },
    });
    expect(provider.requests).toHaveLength(0);
  });
});
