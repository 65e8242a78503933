import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type Embedder, hashingEmbedder } from '../../../src/vault/embed/embedder.ts';
import { startReEmbedding } from '../../../src/vault/search/re-embed.ts';
import { search } from '../../../src/vault/search/search.ts';
import { createVectorDbClient } from '../../../src/vault/vector-db/client.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { bearer, linesOfLog, receiver, vaultSecret } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const texts = [
  'the first passage about vacation',
  'the second passage about travel',
  'the third passage about printers',
];
/** A space of other length, computed from the other. */
const other: Embedder = {
  name: 'other-8-1',
  dimensions: 8,
  inWorker: false,
  embed: async (given, use) =>
    (await hashingEmbedder.embed(given, use)).map((vector) => vector.slice(0, 8)),
};

async function library(names: string[]) {
  const directory = temporaryDirectory();
  const { lines, log } = linesOfLog();
  const database = await startVectorDb(join(directory.path, 'vectors'), log);
  closing.push(() => database.stop(), directory.remove);
  const vectorDb = createVectorDbClient({ url: database.url, secret: vaultSecret });
  for (const name of names) {
    const about = {
      hash: createHash('sha256').update(name).digest('hex'),
      embedding: hashingEmbedder.name,
      facts: { fileName: `${name}.txt` },
    };
    await vectorDb.put('handbook', name, about, passagesOf(texts));
  }
  return { vectorDb, url: database.url, log, lines };
}

async function* passagesOf(given: string[], embedder = hashingEmbedder) {
  const vectors = await embedder.embed(given, 'passage');
  for (const [ordinal, text] of given.entries()) {
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

const question = {
  collection: 'handbook',
  query: 'vacation',
  limit: 5,
  offset: 0,
  mode: 'vector',
} as const;

test('every document moves to the new space with its hash, its facts and its passages', async () => {
  const { vectorDb, log } = await library(['a', 'b', 'c']);
  const moving = startReEmbedding({ vectorDb, embedder: other, log, pauseBetweenDocumentsMs: 0 });
  closing.push(moving.close);
  await moving.finished;
  expect(moving.progress()).toEqual({ done: 3, total: 3 });
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

test('until its turn a document answers from its old vectors, afterwards from the new ones', async () => {
  const { vectorDb, log } = await library(['a']);
  const parts = { vectorDb, embedder: other, reranker: undefined };
  const before = await search(question, parts);
  expect(before.passages[0]?.text).toBe(texts[0]);
  const moving = startReEmbedding({ vectorDb, embedder: other, log, pauseBetweenDocumentsMs: 0 });
  closing.push(moving.close);
  await moving.finished;
  expect((await search(question, parts)).passages).toHaveLength(3);
  expect(
    (
      await vectorDb.search('handbook', {
        vectors: { [other.name]: new Float32Array(8).fill(1) },
        limit: 5,
      })
    ).embeddings,
  ).toEqual([other.name]);
});

test('what was stopped goes on where it stood', async () => {
  const { vectorDb, log } = await library(['a', 'b', 'c']);
  let moved = 0;
  const first: { stop?: () => Promise<void> } = {};
  const hesitant: Embedder = {
    ...other,
    async embed(given, use, signal) {
      if (moved++ === 1) void first.stop?.();
      signal?.throwIfAborted();
      return other.embed(given, use);
    },
  };
  const stopped = startReEmbedding({ vectorDb, embedder: hesitant, log, pauseBetweenDocumentsMs: 0 });
  first.stop = stopped.close;
  await stopped.finished;
  expect(stopped.progress().done).toBe(1);
  const going = startReEmbedding({ vectorDb, embedder: other, log, pauseBetweenDocumentsMs: 0 });
  closing.push(going.close);
  await going.finished;
  expect(going.progress()).toEqual({ done: 2, total: 2 });
});

test('a document that is sent anew or removed meanwhile is not brought back in its old form', async () => {
  const { vectorDb, log } = await library(['removed', 'sent-anew']);
  const meddling: Embedder = {
    ...other,
    async embed(given, use) {
      await vectorDb.remove('handbook', 'removed');
      const about = { hash: 'f'.repeat(64), embedding: other.name, facts: {} };
      await vectorDb.put('handbook', 'sent-anew', about, passagesOf(['the new text'], other));
      return other.embed(given, use);
    },
  };
  const moving = startReEmbedding({ vectorDb, embedder: meddling, log, pauseBetweenDocumentsMs: 0, retryMs: 10 });
  closing.push(moving.close);
  await moving.finished;
  expect((await vectorDb.documents('handbook')).documents).toMatchObject([
    { document: 'sent-anew', hash: 'f'.repeat(64), passages: 1 },
  ]);
});

test('nor is one that is sent anew or removed when all of its old form is on its way', async () => {
  const { vectorDb, url, log, lines } = await library(['removed', 'sent-anew']);
  const meddle: Record<string, () => Promise<unknown>> = {
    removed: () => vectorDb.remove('handbook', 'removed'),
    'sent-anew': () =>
      vectorDb.put(
        'handbook',
        'sent-anew',
        { hash: 'f'.repeat(64), embedding: other.name, facts: {} },
        passagesOf(['the new text'], other),
      ),
  };
  // On the way to the vector database: holds every writing that has arrived whole until the
  // document is another.
  const way = await receiver(async (request, response) => {
    const { method = 'GET', url: path = '', headers } = request;
    const body = await buffer(request);
    if (method === 'PUT') await meddle[path.split('/').at(-1) ?? '']?.();
    const {
      host: _,
      'transfer-encoding': __,
      'content-length': ___,
      connection: ____,
      ...rest
    } = headers;
    const sent = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, String(value)]),
    );
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...sent, ...bearer(vaultSecret) },
      ...(method === 'PUT' ? { body } : {}),
    });
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(await answer.text());
  });
  closing.push(way.stop);
  const throughIt = createVectorDbClient({ url: way.url, secret: vaultSecret });
  const moving = startReEmbedding({
    vectorDb: throughIt,
    embedder: other,
    log,
    pauseBetweenDocumentsMs: 0,
    retryMs: 10,
  });
  closing.push(moving.close);
  await moving.finished;
  expect((await vectorDb.documents('handbook')).documents).toMatchObject([
    { document: 'sent-anew', hash: 'f'.repeat(64), passages: 1 },
  ]);
  expect(lines.filter((line) => line.includes('could not be moved'))).toHaveLength(2);
});

test('an embedder that fails leaves every document as it is, and is tried again', async () => {
  const { vectorDb, log, lines } = await library(['a', 'b']);
  let tries = 0;
  const failing: Embedder = {
    ...other,
    async embed(given, use) {
      if (tries++ < 3) throw new Error('no answer');
      return other.embed(given, use);
    },
  };
  const moving = startReEmbedding({ vectorDb, embedder: failing, log, pauseBetweenDocumentsMs: 0, retryMs: 1 });
  closing.push(moving.close);
  await moving.finished;
  expect(moving.progress().done).toBe(2);
  expect(lines.filter((line) => line.includes('could not be moved'))).toHaveLength(3);
});
