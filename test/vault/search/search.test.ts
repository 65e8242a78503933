import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearer, receiver, vaultSecret } from '../../support/vault.ts';
import { type VaultParts, vaultParts } from '../../support/vault-parts.ts';

const documents: Record<string, string> = {
  leave:
    'Employees have thirty days of vacation in a year. Days that are left over expire in March.',
  urlaub: 'Der Jahresurlaub beträgt dreißig Arbeitstage. Resturlaub verfällt im März.',
  travel: 'Travel expenses are paid back within two weeks. Keep every receipt.',
  copy: 'Travel expenses are paid back within two weeks. Keep every receipt!',
  printer: 'The printer PX-4410 stands on the second floor beside the kitchen.',
};

let parts: VaultParts;
const json = { 'content-type': 'application/json' };
const ask = async (body: object, path = '/v1/collections/handbook/search') =>
  parts.call('POST', path, { headers: json, body: JSON.stringify(body) });
const namesOf = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer.body.passages.map(({ document }: { document: string }) => document);

beforeAll(async () => {
  parts = await vaultParts();
  for (const [name, text] of Object.entries(documents))
    expect((await parts.put('handbook', name, text)).status).toBe(200);
});
afterAll(() => parts.close());

describe('search', () => {
  test('the passage that answers comes first, with what every stage gave it', async () => {
    const { status, body } = await ask({ query: 'how many vacation days' });
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

  test('both addresses give the same', async () => {
    const [one, other] = [
      await ask({ query: 'printer' }),
      await ask({ query: 'printer', collection: 'handbook' }, '/v1/search'),
    ];
    expect({ ...other.body, tookMs: 0 }).toEqual({ ...one.body, tookMs: 0 });
  });

  test('each half can be asked alone', async () => {
    const [keyword, vector] = [
      await ask({ query: 'PX-4410', mode: 'keyword' }),
      await ask({ query: 'Jahresurlaubs', mode: 'vector' }),
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

  test('of two passages that say the same one is given, and the other counted', async () => {
    const answer = await ask({ query: 'travel expenses receipt' });
    expect(
      namesOf(answer).filter((name: string) => ['travel', 'copy'].includes(name)),
    ).toHaveLength(1);
    expect(answer.body.duplicatesRemoved).toBe(1);
  });

  test('pages put together are the whole list, and the page after the last is empty', async () => {
    const whole = namesOf(await ask({ query: 'days of travel', limit: 50 }));
    const paged: string[] = [];
    for (let offset = 0; offset < whole.length; offset++)
      paged.push(...namesOf(await ask({ query: 'days of travel', limit: 1, offset })));
    expect(paged).toEqual(whole);
    expect(namesOf(await ask({ query: 'days of travel', offset: 1_000 }))).toEqual([]);
  });

  test('only the documents that are named are searched', async () => {
    expect(new Set(namesOf(await ask({ query: 'days', documents: ['urlaub', 'nobody'] })))).toEqual(
      new Set(['urlaub']),
    );
    expect(namesOf(await ask({ query: 'days', documents: [] }))).toEqual([]);
  });

  test('one refusal names every field that is wrong', async () => {
    const wrong = {
      query: ' ',
      limit: 51,
      offset: -1,
      documents: ['../x'],
      mode: 'best',
      rerank: 'yes',
    };
    const { status, body } = await ask(wrong);
    expect(status).toBe(400);
    for (const field of Object.keys(wrong)) expect(body.message).toContain(`${field}`);
    for (const query of ['a\0b', 'x'.repeat(4_001), 7, null])
      expect((await ask({ query })).status).toBe(400);
    for (const limit of [0, 1.5, '3'])
      expect((await ask({ query: 'days', limit })).status).toBe(400);
    expect((await ask({ query: 'days' }, '/v1/search')).body.message).toContain('collection');
  });

  test('an unknown collection is not found, and nobody searches without the secret', async () => {
    expect((await ask({ query: 'days' }, '/v1/collections/nobody/search')).status).toBe(404);
    expect(
      (
        await parts.call('POST', '/v1/search', {
          headers: { ...json, authorization: 'Bearer wrong' },
          body: '{}',
        })
      ).status,
    ).toBe(401);
  });

  test.each(['"', '* OR 1', 'a AND (', '~+-^:/\\', '🦊', '休暇'])(
    'a question of signs is answered: %s',
    async (query) => {
      expect((await ask({ query })).status).toBe(200);
    },
  );
});

describe('a rerank model', () => {
  test('decides the order; where it fails the order of both lists stays, and the answer says so', async () => {
    let status = 200;
    const asked: { query: string; documents: string[] }[] = [];
    const model = await receiver(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const question = JSON.parse(text);
      asked.push(question);
      const results = question.documents.map((document: string, index: number) => ({
        index,
        relevance_score: document.includes('printer') ? 0.9 : 0.1,
      }));
      response
        .writeHead(status, json)
        .end(status === 200 ? JSON.stringify({ results }) : 'the secret words of the provider');
    });
    const reranked = await vaultParts({ yaml: `rerank:\n  url: ${model.url}\n  model: judge\n` });
    try {
      for (const [name, text] of Object.entries(documents))
        await reranked.put('handbook', name, text);
      const body = JSON.stringify({ query: 'vacation days' });
      const search = () =>
        reranked.call('POST', '/v1/collections/handbook/search', { headers: json, body });
      const first = (await search()).body;
      expect(first.passages[0]).toMatchObject({
        document: 'printer',
        score: 0.9,
        scores: { rerank: 0.9 },
      });
      expect(asked[0]).toMatchObject({ model: 'judge', query: 'vacation days' });
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
      expect(answer.text + reranked.lines.join('')).not.toContain('secret words');
    } finally {
      await reranked.close();
      await model.stop();
    }
  });
});

test('whoever leaves in the middle of a search stops what it asked of others, and that is no error', async () => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const model = await receiver((request) => {
    asked.resolve();
    request.socket.once('close', () => left.resolve());
  });
  const waiting = await vaultParts({ yaml: `rerank:\n  url: ${model.url}\n` });
  try {
    await waiting.put('handbook', 'leave', documents['leave'] ?? '');
    const leaving = new AbortController();
    const search = fetch(`${waiting.url}/v1/collections/handbook/search`, {
      method: 'POST',
      headers: { ...json, ...bearer(vaultSecret) },
      body: JSON.stringify({ query: 'vacation days' }),
      signal: leaving.signal,
    });
    await asked.promise;
    leaving.abort();
    await expect(search).rejects.toThrow('aborted');
    await left.promise;
    // The vector database's line, and the vault's.
    await expect
      .poll(() => waiting.lines.filter((line) => line.includes('"operation":"search"')))
      .toHaveLength(2);
    expect(waiting.lines.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([]);
  } finally {
    await waiting.close();
    await model.stop();
  }
});
