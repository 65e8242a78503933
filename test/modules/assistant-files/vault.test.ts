import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

let app: TestApp;
let vault: VaultParts;
let ada: TestPerson;
beforeAll(async () => {
  vault = await vaultParts();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { vault: vault.client });
  app.startProcessing();
  ada = await personIn(app, await app.organization());
});
afterAll(async () => {
  await app.close();
  await vault.close();
});

async function library() {
  const assistantId = await assistantOf(ada);
  const files = filesOf(app, ada, assistantId);
  const until = (id: string, status: string) =>
    expect
      .poll(async () => (await files.get(id)).body['processingStatus'], {
        timeout: 60_000,
        interval: 50,
      })
      .toBe(status);
  return { ...files, until, find: (text: string) => vault.find(assistantId, text) };
}

describe('with a real vault', () => {
  it('an uploaded PDF is found by what stands in it, on the page where it stands', async () => {
    const { upload, until, get, find } = await library();
    const holidays = Array.from(
      { length: 50 },
      (_, day) => `On day ${day} of the holidays nobody has to be anywhere.`,
    );
    const pdf = pdfFile([holidays, ['A zeppelin may be taken on Sundays.', ...holidays]]);
    const id = fileIdIn(
      await upload(pdf, { name: 'handbook.pdf', type: 'application/octet-stream' }),
    );
    await until(id, 'COMPLETED');
    expect((await get(id)).body).toMatchObject({
      mimeType: 'application/pdf',
      pages: 2,
      derivations: ['text', 'chunks', 'embeddings'],
      processingError: null,
    });
    expect(await find('zeppelin')).toMatchObject([{ document: id, page: 2 }]);
  });

  it('a PDF under a password is FAILED, and says so in a sentence', async () => {
    const { upload, until, get } = await library();
    const id = fileIdIn(
      await upload(pdfFile([['secret']], { encrypted: true }), { name: 'locked.pdf' }),
    );
    await until(id, 'FAILED');
    const { processingError } = (await get(id)).body;
    expect(processingError).toEqual({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/^[A-Z].{10,}/),
    });
  });

  it('D20: at every moment of a replacement either the old content is found or the new one, never both and never none', async () => {
    const { upload, until, replace, find } = await library();
    const old = fileIdIn(
      await upload('# Travel\n\nThe zeppelin is blue.\n', { name: 'travel.md' }),
    );
    await until(old, 'COMPLETED');
    const seen: string[][] = [];
    let watching = true;
    const watch = (async () => {
      while (watching) {
        seen.push((await find('zeppelin')).map(({ document }) => document));
        await wait(5);
      }
    })();
    const next = fileIdIn(
      await replace(old, '# Travel\n\nThe zeppelin is red.\n', { name: 'travel.md' }),
    );
    await until(next, 'COMPLETED');
    watching = false;
    await watch;
    seen.push((await find('zeppelin')).map(({ document }) => document));
    expect(new Set(seen.map((documents) => documents.join()))).toEqual(new Set([old, next]));
    expect(seen.at(-1)).toEqual([next]);
  });

  it('of a deleted file nothing is found any more', async () => {
    const { upload, until, remove, find } = await library();
    const id = fileIdIn(await upload('The zeppelin is gone.', { name: 'gone.txt' }));
    await until(id, 'COMPLETED');
    const { body } = await remove(id);
    expect(body['deleted']).toMatchObject({ original: true, pending: false, passages: 1 });
    expect(await find('zeppelin')).toEqual([]);
  });

  it('a file waits while the vector database is away, and is found when it is back', async () => {
    const { upload, until, get, find } = await library();
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
    await until(id, 'COMPLETED');
    expect(await find('zeppelin')).toMatchObject([{ document: id }]);
  });
});
