import { afterEach, expect, it } from 'vitest';
import { bearer, receiver, testVault, vaultSecret } from '../../support/vault.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

it('Extracting text does not wait for documents that occupy all readers', async () => {
  // The vector database never answers, so ingestions never end.
  const vectorDb = await receiver(() => {});
  cleanups.push(vectorDb.stop);
  const vault = await testVault({ yaml: 'extraction: { workers: 3 }', vectorDbUrl: vectorDb.url });
  cleanups.push(vault.close);
  const requestsToDatabase = () =>
    vectorDb.requests.filter(({ url }) => url?.includes('/documents/')).length;
  const uploads = ['one', 'two'].map((document) =>
    vault.request(
      'PUT',
      `/v1/collections/busy/documents/${document}`,
      bearer(vaultSecret),
      'the text of the tern',
    ),
  );
  let finishedUploads = 0;
  for (const upload of uploads) void upload.then(() => (finishedUploads += 1));
  await expect.poll(requestsToDatabase).toBe(2);
  const extraction = await vault.request(
    'POST',
    '/v1/extract',
    bearer(vaultSecret),
    'the text of the auk',
  );
  expect(extraction).toMatchObject({ status: 200, body: { text: 'the text of the auk' } });
  expect(finishedUploads).toBe(0);
  await vectorDb.stop();
  expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([503, 503]);
});
