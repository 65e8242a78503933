import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let ada: TestPerson;
beforeAll(async () => {
  vault = await startVaultServers();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: vault.client });
  app.startProcessing();
  ada = await personIn(app, await app.organization());
});
afterAll(async () => {
  await app.close();
  await vault.close();
});

async function createAssistantFiles() {
  const assistantId = await assistantOf(ada);
  const files = filesOf(app, ada, assistantId);
  const waitForStatus = (id: string, status: string) =>
    expect
      .poll(async () => (await files.get(id)).body['processingStatus'], {
        timeout: 60_000,
        interval: 50,
      })
      .toBe(status);
  return { ...files, waitForStatus, find: (text: string) => vault.find(assistantId, text) };
}

describe('Files with a real vault', () => {
  it('A search finds the text of an uploaded PDF with its page', async () => {
    const { upload, waitForStatus, get, find } = await createAssistantFiles();
    const holidays = Array.from(
      { length: 50 },
      (_, index) => `On day ${index} of the holidays nobody has to be anywhere.`,
    );
    const pdf = pdfFile([holidays, ['A zeppelin may be taken on Sundays.', ...holidays]]);
    const id = fileIdIn(
      await upload(pdf, { name: 'handbook.pdf', type: 'application/octet-stream' }),
    );
    await waitForStatus(id, 'COMPLETED');
    expect((await get(id)).body).toMatchObject({
      mimeType: 'application/pdf',
      pages: 2,
      derivations: ['text', 'chunks', 'embeddings'],
      processingError: null,
    });
    expect(await find('zeppelin')).toMatchObject([{ document: id, page: 2 }]);
  });

  it('A COMPLETED file tells which of it was not read', async () => {
    const { upload, waitForStatus } = await createAssistantFiles();
    const noticesOf = async (id: string) => {
      const query =
        'query ($id: ID!) { node(id: $id) { ... on AssistantFile { notices { code message } } } }';
      return (await ada.graph(query, { id })).data;
    };
    const scanned = fileIdIn(
      await upload(pdfFile([['The zeppelin is blue.'], []]), { name: 'scanned.pdf' }),
    );
    const complete = fileIdIn(await upload('The zeppelin is red.', { name: 'complete.txt' }));
    for (const id of [scanned, complete]) await waitForStatus(id, 'COMPLETED');
    expect(await noticesOf(scanned)).toEqual({
      node: {
        notices: [
          {
            code: 'PAGES_WITHOUT_TEXT',
            message: 'One page has no text. If it is scanned, its words cannot be found.',
          },
        ],
      },
    });
    expect(await noticesOf(complete)).toEqual({ node: { notices: [] } });
  });

  it('A PDF with a password is FAILED with a code and a message', async () => {
    const { upload, waitForStatus, get } = await createAssistantFiles();
    const id = fileIdIn(
      await upload(pdfFile([['secret']], { encrypted: true }), { name: 'locked.pdf' }),
    );
    await waitForStatus(id, 'FAILED');
    const { processingError } = (await get(id)).body;
    expect(processingError).toEqual({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/^[A-Z].{10,}/),
    });
  });

  it('During a replacement a search always finds either the old or the new content', async () => {
    const { upload, waitForStatus, replace, find } = await createAssistantFiles();
    const oldId = fileIdIn(
      await upload('# Travel\n\nThe zeppelin is blue.\n', { name: 'travel.md' }),
    );
    await waitForStatus(oldId, 'COMPLETED');
    const foundDocuments: string[][] = [];
    let isWatching = true;
    const watcher = (async () => {
      while (isWatching) {
        foundDocuments.push((await find('zeppelin')).map(({ document }) => document));
        await wait(5);
      }
    })();
    const newId = fileIdIn(
      await replace(oldId, '# Travel\n\nThe zeppelin is red.\n', { name: 'travel.md' }),
    );
    await waitForStatus(newId, 'COMPLETED');
    isWatching = false;
    await watcher;
    foundDocuments.push((await find('zeppelin')).map(({ document }) => document));
    expect(new Set(foundDocuments.map((documents) => documents.join()))).toEqual(
      new Set([oldId, newId]),
    );
    expect(foundDocuments.at(-1)).toEqual([newId]);
  });

  it('A search does not find a deleted file', async () => {
    const { upload, waitForStatus, remove, find } = await createAssistantFiles();
    const id = fileIdIn(await upload('The zeppelin is gone.', { name: 'gone.txt' }));
    await waitForStatus(id, 'COMPLETED');
    const { body } = await remove(id);
    expect(body['deleted']).toMatchObject({ original: true, pending: false, passages: 1 });
    expect(await find('zeppelin')).toEqual([]);
  });

  it('A file waits while the vector database is down and is found after its return', async () => {
    const { upload, waitForStatus, get, find } = await createAssistantFiles();
    await vault.vectorDb.stop();
    const id = fileIdIn(await upload('The zeppelin waits.', { name: 'waits.txt' }));
    await expect
      .poll(
        async () =>
          (await app.database.prisma.assistantFile.findUniqueOrThrow({ where: { id } }))
            .nextAttemptAt,
        { timeout: 60_000 },
      )
      .not.toBeNull();
    expect((await get(id)).body).toMatchObject({
      processingStatus: 'PENDING',
      processingError: null,
    });
    await vault.vectorDb.start();
    await app.database.prisma.assistantFile.updateMany({
      where: { id, status: 'PENDING' },
      data: { nextAttemptAt: null },
    });
    await waitForStatus(id, 'COMPLETED');
    expect(await find('zeppelin')).toMatchObject([{ document: id }]);
  });
});
