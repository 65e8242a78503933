import { afterEach, expect, it } from 'vitest';
import { bearer, receiver, testVault, vaultSecret } from '../../support/vault.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('whoever wants to know what a file says does not wait for documents that hold every place', async () => {
  // Takes what it is asked and never answers, so that what asks it never ends.
  const vectorDb = await receiver(() => {});
  closers.push(vectorDb.stop);
  const vault = await testVault({ yaml: 'extraction: { workers: 3 }', vectorDbUrl: vectorDb.url });
  closers.push(vault.close);
  const asked = () => vectorDb.requests.filter(({ url }) => url?.includes('/documents/')).length;
  const working = ['one', 'two'].map((document) =>
    vault.request(
      'PUT',
      `/v1/collections/busy/documents/${document}`,
      bearer(vaultSecret),
      'the text of the tern',
    ),
  );
  let ended = 0;
  for (const one of working) void one.then(() => (ended += 1));
  await expect.poll(asked).toBe(2);
  const read = await vault.request(
    'POST',
    '/v1/extract',
    bearer(vaultSecret),
    'the text of the auk',
  );
  expect(read).toMatchObject({ status: 200, body: { text: 'the text of the auk' } });
  expect(ended).toBe(0);
  await vectorDb.stop();
  expect((await Promise.all(working)).map(({ status }) => status)).toEqual([503, 503]);
});
