import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, receiver, vaultSecret } from '../../support/vault.ts';
import { startVaultServers, type VaultServers } from '../../support/vault-servers.ts';

const documents: Record<string, string> = {
  leave:
    'Employees have thirty days of vacation in a year. Days that are left over expire in March.',
  urlaub: 'Der Jahresurlaub beträgt dreißig Arbeitstage. Resturlaub verfällt im März.',
  travel: 'Travel expenses are paid back within two weeks. Keep every receipt.',
  copy: 'Travel expenses are paid back within two weeks. Keep every receipt!',
  printer: 'The printer PX-4410 stands on the second floor beside the kitchen.',
};

let vault: VaultServers;
const json = { 'content-type': 'application/json' };
const search = async (body: object, path = '/v1/collections/handbook/search') =>
  vault.call('POST', path, { headers: json, body: JSON.stringify(body) });
const namesOf = (answer: Awaited<ReturnType<typeof search>>) =>
  answer.body.passages.map(({ document }: { document: string }) => document);

beforeAll(async () => {
  vault = await startVaultServers();
  for (const [name, text] of Object.entries(documents))
    expect((await vault.put('handbook', name, text)).status).toBe(200);
});
afterAll(() => vault.close());

describe('search', () => {
  test('The best passage comes first, with its scores from every stage', async () => {
    const { status, body } = await search({ query: 'how many vacation days' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      collection: 'handbook',
      query: 'how many vacation days',
      mode: 'hybrid',
      notes: [],
    });
    const [first] = body.passages;
    expect(first).toMatchObject({
      document: 'leave',
      ordinal: 0,
      text: documents['leave'],
      start: 0,
      page: null,
      headings: [],
    });
    expect(first.scores).toMatchObject({ keyword: { rank: 1 }, vector: { rank: 1 }, rerank: null });
    expect(first.score).toBe(first.scores.fused);
  });

  test('Both routes give the same answer', async () => {
    const [byPath, byBody] = [
      await search({ query: 'printer' }),
      await search({ query: 'printer', collection: 'handbook' }, '/v1/search'),
    ];
    expect({ ...byBody.body, tookMs: 0 }).toEqual({ ...byPath.body, tookMs: 0 });
  });

  test('A passage after more near duplicates than the first answer has texts of is found', async () => {
    for (let copy = 0; copy < 70; copy += 1)
      await vault.put('copies', `copy-${copy}`, 'The gate of the park opens at dawn.');
    await vault.put('copies', 'other', 'A rusty gate has a lock that nobody in the park can open.');
    const path = '/v1/collections/copies/search';
    const answer = await search({ query: 'gate of the park at dawn', limit: 2 }, path);
    expect(namesOf(answer)).toEqual(['copy-0', 'other']);
    expect(answer.body.duplicatesRemoved).toBe(69);
  });

  test('A page of the best passages is the same as with the texts of all', async () => {
    const words = ['gate', 'park', 'lock', 'dawn', 'key', 'guard', 'fence', 'bench', 'pond'];
    const sentence = (number: number) =>
      words.filter((_, bit) => (number + 1) & (1 << bit)).join(' and ');
    await vault.put(
      'parks',
      'all',
      Array.from({ length: 400 }, (_, n) => sentence(n)).join('.\n\n'),
    );
    for (let number = 0; number < 70; number += 1)
      await vault.put('parks', `park-${number}`, `${sentence(number * 7)} number ${number}.`);
    const path = '/v1/collections/parks/search';
    for (const query of ['gate of the park', 'who guards the pond at dawn?', 'benhc']) {
      const [best, all] = [
        await search({ query, limit: 20 }, path),
        await search({ query, limit: 20, explain: true }, path),
      ];
      expect(best.body.passages).toHaveLength(20);
      expect(best.body.passages).toEqual(all.body.passages);
    }
  });

  test('Keyword search and vector search can be used separately', async () => {
    const [keyword, vector] = [
      await search({ query: 'PX-4410', mode: 'keyword' }),
      await search({ query: 'Jahresurlaubs', mode: 'vector' }),
    ];
    expect(keyword.body.passages[0]).toMatchObject({
      document: 'printer',
      scores: { vector: null },
    });
    expect(vector.body.passages[0]).toMatchObject({
      document: 'urlaub',
      scores: { keyword: null },
    });
  });

  test('Of two equal passages one is returned and the other counted', async () => {
    const answer = await search({ query: 'travel expenses receipt' });
    expect(
      namesOf(answer).filter((name: string) => ['travel', 'copy'].includes(name)),
    ).toHaveLength(1);
    expect(answer.body.duplicatesRemoved).toBe(1);
  });

  test('The pages of results form the complete list, and the page after the last is empty', async () => {
    const all = namesOf(await search({ query: 'days of travel', limit: 50 }));
    const collected: string[] = [];
    for (let offset = 0; offset < all.length; offset++)
      collected.push(...namesOf(await search({ query: 'days of travel', limit: 1, offset })));
    expect(collected).toEqual(all);
    expect(namesOf(await search({ query: 'days of travel', offset: 1_000 }))).toEqual([]);
  });

  test('Only the named documents are searched', async () => {
    expect(
      new Set(namesOf(await search({ query: 'days', documents: ['urlaub', 'nobody'] }))),
    ).toEqual(new Set(['urlaub']));
    expect(namesOf(await search({ query: 'days', documents: [] }))).toEqual([]);
  });

  test('One error names every wrong field', async () => {
    const wrong = {
      query: ' ',
      limit: 51,
      offset: -1,
      documents: ['../x'],
      mode: 'best',
      rerank: 'yes',
    };
    const { status, body } = await search(wrong);
    expect(status).toBe(400);
    for (const field of Object.keys(wrong)) expect(body.message).toContain(`${field}`);
    for (const query of ['a\0b', 'x'.repeat(4_001), 7, null])
      expect((await search({ query })).status).toBe(400);
    for (const limit of [0, 1.5, '3'])
      expect((await search({ query: 'days', limit })).status).toBe(400);
    expect((await search({ query: 'days' }, '/v1/search')).body.message).toContain('collection');
  });

  test('An unknown collection is answered with 404, and a wrong secret with 401', async () => {
    expect((await search({ query: 'days' }, '/v1/collections/nobody/search')).status).toBe(404);
    expect(
      (
        await vault.call('POST', '/v1/search', {
          headers: { ...json, authorization: 'Bearer wrong' },
          body: '{}',
        })
      ).status,
    ).toBe(401);
  });

  test.each(['"', '* OR 1', 'a AND (', '~+-^:/\\', '🦊', '休暇'])(
    'A query of symbols is answered: %s',
    async (query) => {
      expect((await search({ query })).status).toBe(200);
    },
  );
});

describe('search with a rerank model', () => {
  test('The rerank model decides the order; if it fails, the fused order is kept and a note is added', async () => {
    let status = 200;
    const requests: { query: string; documents: string[] }[] = [];
    const model = await receiver(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const question = JSON.parse(text);
      requests.push(question);
      const results = question.documents.map((document: string, index: number) => ({
        index,
        relevance_score: document.includes('printer') ? 0.9 : 0.1,
      }));
      response
        .writeHead(status, json)
        .end(status === 200 ? JSON.stringify({ results }) : 'the secret words of the provider');
    });
    const vaultWithModel = await startVaultServers({
      yaml: `rerank:\n  url: ${model.url}\n  model: judge\n`,
    });
    try {
      for (const [name, text] of Object.entries(documents))
        await vaultWithModel.put('handbook', name, text);
      const body = JSON.stringify({ query: 'vacation days' });
      const search = () =>
        vaultWithModel.call('POST', '/v1/collections/handbook/search', { headers: json, body });
      const first = (await search()).body;
      expect(first.passages[0]).toMatchObject({
        document: 'printer',
        score: 0.9,
        scores: { rerank: 0.9 },
      });
      expect(requests[0]).toMatchObject({ model: 'judge', query: 'vacation days' });
      status = 500;
      const answer = await search();
      expect(answer.status).toBe(200);
      expect(answer.body.passages[0]).toMatchObject({
        document: 'leave',
        scores: { rerank: null },
      });
      expect(answer.body.notes).toEqual([
        'The rerank model failed: passages are in the order of both lists together',
      ]);
      expect(answer.text + vaultWithModel.lines.join('')).not.toContain('secret words');
    } finally {
      await vaultWithModel.close();
      await model.stop();
    }
  });
});

test('A client that disconnects during a search stops the request to the rerank model, without an error in the log', async () => {
  const modelRequested = Promise.withResolvers<void>();
  const disconnected = Promise.withResolvers<void>();
  const model = await receiver((request) => {
    modelRequested.resolve();
    request.socket.once('close', () => disconnected.resolve());
  });
  const vaultWithModel = await startVaultServers({ yaml: `rerank:\n  url: ${model.url}\n` });
  try {
    await vaultWithModel.put('handbook', 'leave', documents['leave'] ?? '');
    const controller = new AbortController();
    const search = fetch(`${vaultWithModel.url}/v1/collections/handbook/search`, {
      method: 'POST',
      headers: { ...json, ...bearer(vaultSecret) },
      body: JSON.stringify({ query: 'vacation days' }),
      signal: controller.signal,
    });
    await modelRequested.promise;
    controller.abort();
    await expect(search).rejects.toThrow('aborted');
    await disconnected.promise;
    // One line of the vector database and one of the vault.
    await expect
      .poll(() => vaultWithModel.lines.filter((line) => line.includes('"operation":"search"')))
      .toHaveLength(2);
    expect(vaultWithModel.lines.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
  } finally {
    await vaultWithModel.close();
    await model.stop();
  }
});

test('A search says what the provider has counted for the embedding of the query', async () => {
  const provider = await receiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString());
      const data = input.map((text: string, index: number) => ({
        ...{ index, embedding: [text.length, ...Array(15).fill(1)] },
      }));
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data, usage: { prompt_tokens: 7, total_tokens: 7 } }));
    });
  });
  const paid = await startVaultServers({
    yaml: `embeddings: { provider: openai, model: small, base_url: "${provider.url}/v1", dimensions: 16 }`,
  });
  try {
    expect((await paid.put('handbook', 'leave', 'Thirty days of vacation.')).status).toBe(200);
    const searchBy = async (mode: string) =>
      paid.call('POST', '/v1/collections/handbook/search', {
        headers: json,
        body: JSON.stringify({ query: 'vacation', mode }),
      });
    expect((await searchBy('hybrid')).body.embedding).toEqual({ model: 'small', tokens: 7 });
    expect((await searchBy('keyword')).body.embedding).toEqual({ model: 'small', tokens: 0 });
    expect((await search({ query: 'vacation' })).body).not.toHaveProperty('embedding');
  } finally {
    await paid.close();
    await provider.stop();
  }
});
