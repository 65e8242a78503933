import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { hashingEmbedder } from '../../../src/vault/embed/embedder.ts';
import type { Embedder } from '../../../src/vault/embed/embedding.ts';
import { startReEmbedding } from '../../../src/vault/search/re-embed.ts';
import { search } from '../../../src/vault/search/search.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { bearer, receiver, recordLog, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

const texts = [
  'the first passage about vacation',
  'the second passage about travel',
  'the third passage about printers',
];
/** An embedder with another number of dimensions, derived from the hashing embedder. */
const otherEmbedder: Embedder = {
  name: 'other-8-1',
  dimensions: 8,
  inWorker: false,
  embed: async (inputs, use) =>
    (await hashingEmbedder.embed(inputs, use)).map((vector) => vector.slice(0, 8)),
};

async function libraryWith(names: string[]) {
  const directory = temporaryDirectory();
  const { lines, log } = recordLog();
  const database = await startVectorDb(join(directory.path, 'vectors'), log);
  cleanups.push(() => database.stop(), directory.remove);
  const vectorDb = createVectorDbClient({ url: database.url, secret: vaultSecret });
  for (const name of names) {
    const metadata = {
      hash: createHash('sha256').update(name).digest('hex'),
      embedding: hashingEmbedder.name,
      facts: { fileName: `${name}.txt` },
    };
    await vectorDb.put('handbook', name, metadata, passagesOf(texts));
  }
  return { vectorDb, url: database.url, log, lines };
}

async function* passagesOf(inputs: string[], embedder = hashingEmbedder) {
  const vectors = await embedder.embed(inputs, 'passage');
  for (const [ordinal, text] of inputs.entries()) {
    yield {
      ordinal,
      text,
      page: null,
      headings: ['Handbook'],
      start: 0,
      end: text.length,
      vector: vectors[ordinal] ?? new Float32Array(),
    };
  }
}

const searchInput = {
  collection: 'handbook',
  query: 'vacation',
  limit: 5,
  offset: 0,
  mode: 'vector',
} as const;

test('Every document is moved to the new embedding with its hash, facts and passages', async () => {
  const { vectorDb, log } = await libraryWith(['a', 'b', 'c']);
  const reEmbedding = startReEmbedding({
    vectorDb,
    embedder: otherEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
  });
  cleanups.push(reEmbedding.close);
  await reEmbedding.finished;
  expect(reEmbedding.progress()).toEqual({ done: 3, total: 3 });
  const { documents } = await vectorDb.documents('handbook');
  expect(
    documents.map(({ document, embedding, passages, facts }) => ({
      document,
      embedding,
      passages,
      facts,
    })),
  ).toEqual(
    ['a', 'b', 'c'].map((document) => ({
      document,
      embedding: 'other-8-1',
      passages: 3,
      facts: { fileName: `${document}.txt` },
    })),
  );
  expect((await vectorDb.document('handbook', 'a'))?.hash).toBe(
    createHash('sha256').update('a').digest('hex'),
  );
  expect((await vectorDb.passages('handbook', 'a')).passages.map(({ text }) => text)).toEqual(
    texts,
  );
});

test('A document is found by its old vectors before it is moved, and by the new ones afterwards', async () => {
  const { vectorDb, log } = await libraryWith(['a']);
  const dependencies = { vectorDb, embedder: otherEmbedder, reranker: undefined };
  const before = await search(searchInput, dependencies);
  expect(before.passages[0]?.text).toBe(texts[0]);
  const reEmbedding = startReEmbedding({
    vectorDb,
    embedder: otherEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
  });
  cleanups.push(reEmbedding.close);
  await reEmbedding.finished;
  expect((await search(searchInput, dependencies)).passages).toHaveLength(3);
  expect(
    (
      await vectorDb.search('handbook', {
        vectors: { [otherEmbedder.name]: new Float32Array(8).fill(1) },
        limit: 5,
      })
    ).embeddings,
  ).toEqual([otherEmbedder.name]);
});

test('Re-embedding continues after a stop with the remaining documents', async () => {
  const { vectorDb, log } = await libraryWith(['a', 'b', 'c']);
  let moved = 0;
  const first: { stop?: () => Promise<void> } = {};
  const stoppingEmbedder: Embedder = {
    ...otherEmbedder,
    async embed(inputs, use, signal) {
      if (moved++ === 1) void first.stop?.();
      signal?.throwIfAborted();
      return otherEmbedder.embed(inputs, use);
    },
  };
  const firstRun = startReEmbedding({
    vectorDb,
    embedder: stoppingEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
  });
  first.stop = firstRun.close;
  await firstRun.finished;
  expect(firstRun.progress().done).toBe(1);
  const secondRun = startReEmbedding({
    vectorDb,
    embedder: otherEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
  });
  cleanups.push(secondRun.close);
  await secondRun.finished;
  expect(secondRun.progress()).toEqual({ done: 2, total: 2 });
});

test('A document that is replaced or removed during re-embedding is not restored to its old version', async () => {
  const { vectorDb, log } = await libraryWith(['removed', 'sent-anew']);
  const interferingEmbedder: Embedder = {
    ...otherEmbedder,
    async embed(inputs, use) {
      await vectorDb.remove('handbook', 'removed');
      const metadata = { hash: 'f'.repeat(64), embedding: otherEmbedder.name, facts: {} };
      await vectorDb.put(
        'handbook',
        'sent-anew',
        metadata,
        passagesOf(['the new text'], otherEmbedder),
      );
      return otherEmbedder.embed(inputs, use);
    },
  };
  const reEmbedding = startReEmbedding({
    vectorDb,
    embedder: interferingEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
    retryMs: 10,
  });
  cleanups.push(reEmbedding.close);
  await reEmbedding.finished;
  expect((await vectorDb.documents('handbook')).documents).toMatchObject([
    { document: 'sent-anew', hash: 'f'.repeat(64), passages: 1 },
  ]);
});

test('A document that is replaced or removed after its old version was sent is not restored', async () => {
  const { vectorDb, url, log, lines } = await libraryWith(['removed', 'sent-anew']);
  const changes: Record<string, () => Promise<unknown>> = {
    removed: () => vectorDb.remove('handbook', 'removed'),
    'sent-anew': () =>
      vectorDb.put(
        'handbook',
        'sent-anew',
        { hash: 'f'.repeat(64), embedding: otherEmbedder.name, facts: {} },
        passagesOf(['the new text'], otherEmbedder),
      ),
  };
  // A proxy before the vector database: it holds every write that has arrived completely until the
  // document has been changed.
  const proxy = await receiver(async (request, response) => {
    const { method = 'GET', url: path = '', headers } = request;
    const body = await buffer(request);
    if (method === 'PUT') await changes[path.split('/').at(-1) ?? '']?.();
    const {
      host: _,
      'transfer-encoding': __,
      'content-length': ___,
      connection: ____,
      ...rest
    } = headers;
    const requestHeaders = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, String(value)]),
    );
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...requestHeaders, ...bearer(vaultSecret) },
      ...(method === 'PUT' ? { body } : {}),
    });
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(await answer.text());
  });
  cleanups.push(proxy.stop);
  const clientOfProxy = createVectorDbClient({ url: proxy.url, secret: vaultSecret });
  const reEmbedding = startReEmbedding({
    vectorDb: clientOfProxy,
    embedder: otherEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
    retryMs: 10,
  });
  cleanups.push(reEmbedding.close);
  await reEmbedding.finished;
  expect((await vectorDb.documents('handbook')).documents).toMatchObject([
    { document: 'sent-anew', hash: 'f'.repeat(64), passages: 1 },
  ]);
  expect(lines.filter((line) => line.includes('could not be moved'))).toHaveLength(2);
});

test('Documents are unchanged while the embedder fails, and are tried again', async () => {
  const { vectorDb, log, lines } = await libraryWith(['a', 'b']);
  let attempts = 0;
  const failingEmbedder: Embedder = {
    ...otherEmbedder,
    async embed(inputs, use) {
      if (attempts++ < 3) throw new Error('no answer');
      return otherEmbedder.embed(inputs, use);
    },
  };
  const reEmbedding = startReEmbedding({
    vectorDb,
    embedder: failingEmbedder,
    log,
    pauseBetweenDocumentsMs: 0,
    retryMs: 1,
  });
  cleanups.push(reEmbedding.close);
  await reEmbedding.finished;
  expect(reEmbedding.progress().done).toBe(2);
  expect(lines.filter((line) => line.includes('could not be moved'))).toHaveLength(3);
});
